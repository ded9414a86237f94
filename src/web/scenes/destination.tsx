import { useLayoutEffect, useRef } from 'react';
import { type Fuoco, positionOf, wordsFree } from '../../domain/focus.ts';
import styles from './destination.module.css';
import { coveringPicture } from './sized-picture.ts';

/** From this many letters on a title is set smaller: a phone's width holds some fifteen of the large ones. */
const LONG_TITLE = 60;
/** Up to so many it is one line, as wide as the screen has room. */
const ONE_LINE = 18;

type Props = {
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

/** The picture comes out of the dark, its title over a soft shade, the trip's title beneath: at the bottom, and at the top where they would hide the chosen point. */
export function Destination({
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
      style={{ '--seconds': `${seconds}s`, '--focus': positionOf(fuoco) }}
      aria-live="polite"
    >
      <img className={styles.picture} {...picture} alt="" decoding="async" data-picture="whole" />
      <div className={styles.shade} />
      {titled && (
        <div className={styles.titles} data-at={wordsFree(fuoco)}>
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

/** A title letter by letter; one with other letters than Latin ones, which may join or be read leftwards, comes whole. */
function Letters({ text }: { text: string }) {
  const delay = Math.min(LETTER_MS, LETTERS_MS / text.length);
  if (!/^[\p{Script=Latin}\p{P}\p{N}\s]+$/u.test(text)) return <span className={styles.letter}>{text}</span>;
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
