import { goldenRuns, isReadLeftwards, type Run, spoken } from '../../domain/golden.ts';
import { Golden } from './golden.tsx';
import styles from './phrase.module.css';
import { roomFor, sizeOf } from './type.ts';

type Props = {
  text: string;
  /** How long it stays, in seconds: the gold line fills and the words leave by then. */
  seconds: number;
  index: number;
  total: number;
  /** Time stands still (the page is hidden). */
  paused?: boolean;
};

/** From one word's arrival to the next, in milliseconds; shorter when there are many. */
const STAGGER_MS = 60;
/** All words have arrived by then, however many there are. */
const ARRIVAL_MS = 1_400;

/** One phrase of the film: words rise one after the other, stay to be read, and leave together. */
export function Phrase({ text, seconds, index, total, paused = false }: Props) {
  return (
    <section className={styles.scene} data-paused={paused}>
      <p dir="auto" className={styles.spoken} aria-live="polite">
        {spoken(text)}
      </p>
      <Words key={`${index} ${text}`} text={text} seconds={seconds} />
      <div className={styles.time} aria-hidden="true">
        <span key={index} className={styles.elapsed} style={{ '--seconds': `${seconds}s` }} />
      </div>
      <p className={styles.spoken}>{`${index + 1} / ${total}`}</p>
    </section>
  );
}

function Words({ text, seconds }: { text: string; seconds: number }) {
  const words = wordsAndBreaks(text);
  const stagger = Math.min(STAGGER_MS, ARRIVAL_MS / words.length);
  return (
    <p
      dir="auto"
      data-leftwards={isReadLeftwards(text)}
      className={styles.phrase}
      {...sizeOf(text)}
      style={{ '--seconds': `${seconds}s`, ...roomFor(text) }}
      aria-hidden="true"
      data-words
    >
      {/* A phrase's words never change places: the position is their identity. */}
      {words.map((word, position) =>
        word === '\n' ? (
          <br key={position} />
        ) : (
          <span
            key={position}
            className={styles.word}
            style={{ '--delay': `${Math.round(position * stagger)}ms` }}
          >
            <Golden runs={word} />{' '}
          </span>
        ),
      )}
    </p>
  );
}

/** The words in order, each in its runs, and between them the line breaks that were typed. */
function wordsAndBreaks(text: string): (Run[] | '\n')[] {
  const words: (Run[] | '\n')[] = [];
  let word: Run[] | null = null;
  for (const { text: run, golden } of goldenRuns(text)) {
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
      word.push({ text: piece, golden });
    }
  }
  return words;
}
