import { useLayoutEffect, useRef } from 'react';
import type { Viaggio } from '../../domain/content.ts';
import type { Hues } from '../../domain/hues.ts';
import { type Fuoco, textPosition, textSide, toCssPosition } from '../../domain/pictures.ts';
import styles from './destination.module.css';
import { lettersOf } from './golden.tsx';
import { paintedIn } from './night.tsx';
import { coverAttributes } from './sized-picture.ts';

/** Titles from this length on have a smaller size; a phone's width fits about 15 large letters. */
const LONG_TITLE = 60;
/** Titles up to this length fill one line across the screen. */
const ONE_LINE = 18;

type Props = {
  viaggio?: Viaggio;
  /** Sky colours from the picture; null for the dress's own. */
  hues?: Hues | null;
  immagine_destinazione_url: string;
  /** Point of the picture that stays in view; null for its middle. */
  fuoco: Fuoco | null;
  titolo_destinazione: string;
  titolo_viaggio: string;
  /** Shows the titles; before their time the picture is alone. */
  titled?: boolean;
  /** Time on screen in seconds. */
  seconds: number;
};

/**
 * Shows the destination's picture, with both titles over a soft shade at the bottom. The titles avoid the focus point: they move to the
 * top if they would hide it; on wide screens they are at the opposite side.
 */
export function Destination({
  viaggio = 1,
  hues = null,
  immagine_destinazione_url,
  fuoco,
  titolo_destinazione,
  titolo_viaggio,
  titled = true,
  seconds,
}: Props) {
  const picture = { ...coverAttributes(immagine_destinazione_url), src: immagine_destinazione_url };
  return (
    <section
      className={styles.scene}
      style={{ '--seconds': `${seconds}s`, '--focus': toCssPosition(fuoco), ...paintedIn(hues) }}
      aria-live="polite"
    >
      <img
        className={styles.picture}
        {...picture}
        alt=""
        decoding="async"
        data-picture={viaggio === 1 ? 'iris' : 'dawn'}
      />
      <div className={styles.shade} />
      {titled && (
        <div className={styles.titles} data-at={textPosition(fuoco)} data-side={textSide(fuoco)}>
          <div className={styles.words}>
            <Title key={titolo_destinazione} text={titolo_destinazione} />
            <p dir="auto" className={styles.trip}>
              {titolo_viaggio}
            </p>
          </div>
        </div>
      )}
    </section>
  );
}

function Title({ text }: { text: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  const { length } = text;
  useLayoutEffect(() => {
    const { current } = title;
    const line = current?.querySelector('span');
    if (current === null || line == null) return;
    // Width in em, independent of the screen's size.
    const em = line.offsetWidth / Number.parseFloat(getComputedStyle(current).fontSize);
    if (em > 0) current.style.setProperty('--fit', em.toFixed(2));
  }, []);
  return (
    <h1
      ref={title}
      // Read by screen readers as a whole.
      aria-label={text}
      dir="auto"
      className={styles.destination}
      data-length={length > LONG_TITLE ? 'long' : length > ONE_LINE ? 'short' : 'line'}
    >
      <span aria-hidden="true">
        <Letters text={text} />
      </span>
    </h1>
  );
}

/** Delay between letters, and longest total delay, in ms. */
const LETTER_MS = 60;
const LETTERS_MS = 900;

/** Splits a title into animated letters, if its script allows it. */
function Letters({ text }: { text: string }) {
  const delay = Math.min(LETTER_MS, LETTERS_MS / text.length);
  if (lettersOf(text).length === 1) return <span className={styles.letter}>{text}</span>;
  let place = 0;
  return text.split(/(\s+)/).map((word, index) => (
    <span key={index} className={styles.word}>
      {[...word].map((letter) => {
        place += 1;
        return (
          <span key={place} className={styles.letter} style={{ '--delay': `${Math.round(place * delay)}ms` }}>
            {letter}
          </span>
        );
      })}
    </span>
  ));
}
