import type { Run } from '../../domain/golden.ts';
import styles from './golden.module.css';

/** Words, some of them in gold. */
export function Golden({ runs }: { runs: readonly Run[] }) {
  return runs.map(({ text, golden }, position) =>
    golden ? (
      <em key={position} className={styles.golden}>
        {text}
      </em>
    ) : (
      text
    ),
  );
}
