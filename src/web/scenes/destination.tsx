import { useLayoutEffect, useRef } from 'react';
import type { Viaggio } from '../../domain/content.ts';
import { type Fuoco, positionOf, sideFree, wordsFree } from '../../domain/focus.ts';
import type { Hues } from '../../domain/hues.ts';
import styles from './destination.module.css';
import { lettersOf } from './golden.tsx';
import { paintedIn } from './night.tsx';
import { coveringPicture } from './sized-picture.ts';

/** From this many letters on a title is set smaller: a phone's width holds some fifteen of the large ones. */
const LONG_TITLE = 60;
/** Up to so many it is one line, as wide as the screen has room. */
const ONE_LINE = 18;

type Props = {
  viaggio?: Viaggio;
  /** What the sky took from the picture; null for the dress's own. */
  hues?: Hues | null;
  immagine_destinazione_url: string;
  /** The point of it that stays in view; null for its middle. */
  fuoco: Fuoco | null;
  titolo_destinazione: string;
  titolo_viaggio: string;
  /** Its titles come with its own time; before it there is the picture alone. */
  titled?: boolean;
  /** How long it stays, in seconds. */
  seconds: number;
};

/** The picture comes out of the dark, its title over a soft shade, the trip's title beneath: at the bottom, and at the top where they would hide the chosen point; on a wide screen at the side away from it. */
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
  const picture = { ...coveringPicture(immagine_destinazione_url), src: immagine_destinazione_url };
  return (
    <section
      className={styles.scene}
      style={{ '--seconds': `${seconds}s`, '--focus': positionOf(fuoco), ...paintedIn(hues) }}
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
        <div className={styles.titles} data-at={wordsFree(fuoco)} data-side={sideFree(fuoco)}>
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
    // Its width in letters' own measure, which no size of the screen changes.
    const em = line.offsetWidth / Number.parseFloat(getComputedStyle(current).fontSize);
    if (em > 0) current.style.setProperty('--fit', em.toFixed(2));
  }, []);
  return (
    <h1
      ref={title}
      // Spoken in one piece.
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

/** From one letter to the next, in milliseconds, and the time in which all of them begin. */
const LETTER_MS = 60;
const LETTERS_MS = 900;

/** A title letter by letter, where its letters may come so. */
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
