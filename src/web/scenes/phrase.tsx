import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import {
  emphasisRuns,
  isReadLeftwards,
  lineBreaks,
  type TextRun,
  withoutMarkers,
} from '../../domain/phrases.ts';
import { Emphasis } from './golden.tsx';
import styles from './phrase.module.css';
import { fontSizeFor, longestWordLength } from './type.ts';

type Props = {
  text: string;
  /** Time on screen in seconds; the star crosses the sky and the words leave within it. */
  seconds: number;
  index: number;
  total: number;
  /** Pauses all time (the page is hidden). */
  paused?: boolean;
  /** Places the phrase in the middle, for hearts around it. */
  centred?: boolean;
};

/** Consecutive phrases have different places. */
const PLACES = ['high', 'middle', 'low'] as const;

/** Delay between words in ms; shorter for many words. */
const STAGGER_MS = 60;
/** Longest total delay of the words, in ms. */
const ARRIVAL_MS = 1_400;
/** Delay between the lines of the longest phrases, in ms. */
const LINE_MS = 450;

/** One phrase: the words rise one after another, stay to be read, and leave together. */
export function Phrase({ text, seconds, index, total, paused = false, centred = false }: Props) {
  const at = centred ? 'middle' : PLACES[(index + total) % PLACES.length];
  return (
    <section className={styles.scene} data-paused={paused} data-at={at}>
      <p dir="auto" className={styles.spoken} aria-live="polite">
        {withoutMarkers(text)}
      </p>
      <Words key={`${index} ${text}`} text={text} seconds={seconds} />
      <div className={styles.time} aria-hidden="true" style={{ '--seconds': `${seconds}s` }} key={index} />
      <p className={styles.spoken}>{`${index + 1} / ${total}`}</p>
    </section>
  );
}

function Words({ text, seconds }: { text: string; seconds: number }) {
  const words = wordsAndBreaks(text);
  const stagger = Math.min(STAGGER_MS, ARRIVAL_MS / words.length);
  const size = fontSizeFor(text);
  const phrase = useRef<HTMLParagraphElement>(null);
  const [breaks, setBreaks] = useState<readonly number[]>([]);
  const lineOf = (position: number) =>
    words.slice(0, position + 1).filter((word, index) => word === '\n' || breaks.includes(index)).length;
  const delayOf = (position: number) =>
    size['data-size'] === 'longest' ? lineOf(position) * LINE_MS : Math.round(position * stagger);
  useLayoutEffect(() => {
    const measure = () => setBreaks(phrase.current === null ? [] : breaksIn(phrase.current, words));
    // The preview next to a form is a separate window.
    const page = phrase.current?.ownerDocument.defaultView;
    measure();
    page?.addEventListener('resize', measure);
    return () => page?.removeEventListener('resize', measure);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the words of one text are always the same
  }, [text]);
  return (
    <p
      ref={phrase}
      dir="auto"
      data-leftwards={isReadLeftwards(text)}
      className={styles.phrase}
      {...size}
      style={{ '--seconds': `${seconds}s`, ...longestWordLength(text) }}
      aria-hidden="true"
      data-words
    >
      {/* Words never change their order, so the index is a stable key. */}
      {words.map((word, position) =>
        word === '\n' ? (
          <br key={position} />
        ) : (
          <Fragment key={position}>
            {breaks.includes(position) && <br />}
            <span className={styles.word} style={{ '--delay': `${delayOf(position)}ms` }}>
              <Emphasis runs={word} written />{' '}
            </span>
          </Fragment>
        ),
      )}
    </p>
  );
}

/** Returns the positions of words before which the phrase's lines break on this screen. */
function breaksIn(phrase: HTMLElement, words: readonly (TextRun[] | '\n')[]): number[] {
  const around = phrase.parentElement;
  if (around === null) return [];
  const { paddingLeft, paddingRight } = getComputedStyle(around);
  const free = around.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  const available = Math.min(free, Number.parseFloat(getComputedStyle(phrase).maxWidth));
  // Widths include the following space.
  const widths = [...phrase.querySelectorAll<HTMLElement>(`:scope > span`)].map((word) => word.offsetWidth);
  const breaks: number[] = [];
  let line: { text: string; width: number; position: number }[] = [];
  for (const [position, word] of [...words, '\n' as const].entries()) {
    if (word !== '\n') {
      line.push({ text: word.map(({ text }) => text).join(''), width: widths.shift() ?? 0, position });
      continue;
    }
    breaks.push(...lineBreaks(line, available).flatMap((index) => line[index]?.position ?? []));
    line = [];
  }
  return breaks;
}

/** Returns the words in order, each as text runs, with '\n' for typed line breaks. */
function wordsAndBreaks(text: string): (TextRun[] | '\n')[] {
  const words: (TextRun[] | '\n')[] = [];
  let word: TextRun[] | null = null;
  for (const { text: run, emphasized } of emphasisRuns(text)) {
    for (const piece of run.match(/\n|[^\S\n]+|\S+/g) ?? []) {
      if (piece.trim() === '') {
        word = null;
        if (piece === '\n') words.push(piece);
        continue;
      }
      if (word === null) {
        word = [];
        words.push(word);
      }
      word.push({ text: piece, emphasized: emphasized });
    }
  }
  return words;
}
