import { goldenRuns } from '../../domain/golden.ts';
import styles from './closing.module.css';
import { FallingHearts } from './falling-hearts.tsx';
import { Golden } from './golden.tsx';
import { Heart } from './heart.tsx';
import { roomFor, sizeOf } from './type.ts';

type Props = {
  text: string | null;
  /** The words have been said: only the hearts stay. */
  over?: boolean;
};

/** The last words of the evening, the largest of all, under falling hearts. Without words, only the hearts. */
export function Closing({ text, over = false }: Props) {
  return (
    <section className={styles.scene}>
      <FallingHearts said={over ? null : text} />
      {!over && <Said text={text} />}
    </section>
  );
}

function Said({ text }: { text: string | null }) {
  if (text === null) return <Heart lit className={styles.heart} />;
  return (
    <p className={styles.phrase} {...sizeOf(text)} style={roomFor(text)} aria-live="polite" data-words>
      <Golden runs={goldenRuns(text)} />
    </p>
  );
}
