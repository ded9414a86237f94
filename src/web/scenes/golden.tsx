import type { TextRun } from '../../domain/phrases.ts';
import styles from './golden.module.css';

type Props = {
  runs: readonly TextRun[];
  /** Emphasized text appears letter by letter, as if written. */
  written?: boolean;
};

/** Renders text runs; emphasized ones are gold. */
export function Emphasis({ runs, written = false }: Props) {
  return runs.map(({ text, emphasized }, position) =>
    emphasized ? (
      <em key={position} className={styles.golden}>
        {written ? <Letters text={text} /> : text}
      </em>
    ) : (
      text
    ),
  );
}

/** Delay between letters, in ms. */
const LETTER_MS = 70;

/** Returns the letters, or the whole text for non-Latin scripts, whose letters may join or run from right to left. */
export const lettersOf = (text: string): string[] =>
  /^[\p{Script=Latin}\p{P}\p{N}\s]+$/u.test(text) ? [...text] : [text];

function Letters({ text }: { text: string }) {
  return lettersOf(text).map((letter, position) => (
    <span key={position} style={{ '--at': `${position * LETTER_MS}ms` }}>
      {letter}
    </span>
  ));
}
