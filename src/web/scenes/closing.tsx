import { goldenRuns } from '../../domain/golden.ts';
import styles from './closing.module.css';
import { FallingHearts } from './falling-hearts.tsx';
import { Golden } from './golden.tsx';
import { Heart } from './heart.tsx';

/** The last words of the evening, the largest of all, under falling hearts. Without words, only the hearts. */
export function Closing({ text }: { text: string | null }) {
  return (
    <section className={styles.scene}>
      <FallingHearts />
      {text === null ? (
        <Heart className={styles.heart} />
      ) : (
        <p className={styles.phrase} data-length={text.length > 140 ? 'long' : 'short'} aria-live="polite">
          <Golden runs={goldenRuns(text)} />
        </p>
      )}
    </section>
  );
}
