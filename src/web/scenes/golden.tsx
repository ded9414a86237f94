import type { TextRun } from '../../domain/emphasis.ts';
import styles from './golden.module.css';

type Props = {
  runs: readonly TextRun[];
  /** What is in gold comes letter by letter, as if it was being written. */
  written?: boolean;
};

/** Words, some of them in gold. */
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

/** From one letter to the next, in milliseconds. */
const LETTER_MS = 70;

/** Other letters than Latin ones may join or be read leftwards: they come whole. */
export const lettersOf = (text: string): string[] =>
  /^[\p{Script=Latin}\p{P}\p{N}\s]+$/u.test(text) ? [...text] : [text];

function Letters({ text }: { text: string }) {
  return lettersOf(text).map((letter, position) => (
    <span key={position} style={{ '--at': `${position * LETTER_MS}ms` }}>
      {letter}
    </span>
  ));
}
