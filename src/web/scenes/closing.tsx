import { type ComponentProps, type ComponentType, lazy, Suspense, useState } from 'react';
import { emphasisRuns } from '../../domain/emphasis.ts';
import { CLOSING_PHRASE_MS } from '../../domain/limits.ts';
import styles from './closing.module.css';
import type { FallingHearts } from './falling-hearts.tsx';
import { Emphasis } from './golden.tsx';
import { Heart } from './heart.tsx';
import { fontSizeFor, longestWordLength } from './type.ts';

/** They come beside what is needed, long before their time; an end without them is whole. */
const falling = import('./falling-hearts.tsx').then(
  (it) => ({ default: it.FallingHearts }),
  () => ({ default: () => null }),
);
const LazyHearts = lazy<ComponentType<ComponentProps<typeof FallingHearts>>>(() => falling);

export function Hearts(props: ComponentProps<typeof FallingHearts>) {
  return (
    <Suspense>
      <LazyHearts {...props} />
    </Suspense>
  );
}

type Props = {
  text: string | null;
  /** How long the words have: they leave 3 s before that, and the hearts have the rest. */
  seconds?: number | undefined;
  /** Time stands still (the page is hidden). */
  paused?: boolean | undefined;
  /** The words have been said: only the hearts stay. */
  over?: boolean;
};

/** The last words of the evening, the largest of all, under falling hearts. Without words, only the hearts. */
export function Closing({ text, seconds = CLOSING_PHRASE_MS / 1_000, paused = false, over = false }: Props) {
  const [gone, setGone] = useState<string | null>(null);
  return (
    <section className={styles.scene} data-paused={paused}>
      <Hearts said={over || gone === text ? null : text} />
      {!over && <Said text={text} seconds={seconds} onGone={() => setGone(text)} />}
    </section>
  );
}

type SaidProps = { text: string | null; seconds: number; onGone: () => void };

function Said({ text, seconds, onGone }: SaidProps) {
  if (text === null) return <Heart lit stays className={styles.heart} />;
  return (
    <p
      dir="auto"
      className={styles.phrase}
      {...fontSizeFor(text)}
      style={{ '--seconds': `${seconds}s`, ...longestWordLength(text) }}
      aria-live="polite"
      data-words
      // The first animation brings them, the second one takes them away.
      onAnimationEnd={({ animationName }) => {
        if (animationName.endsWith('leave')) onGone();
      }}
    >
      <Emphasis runs={emphasisRuns(text)} />
    </p>
  );
}
