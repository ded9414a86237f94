import { type ComponentProps, type ComponentType, lazy, Suspense, useState } from 'react';
import { CLOSING_PHRASE_MS } from '../../domain/limits.ts';
import { emphasisRuns } from '../../domain/phrases.ts';
import styles from './closing.module.css';
import type { FallingHearts } from './falling-hearts.tsx';
import { Emphasis } from './golden.tsx';
import { Heart } from './heart.tsx';
import { fontSizeFor, longestWordLength } from './type.ts';

/** Loaded in addition to the required code, long before use; the closing works without them. */
const heartsChunk = import('./falling-hearts.tsx').then(
  (it) => ({ default: it.FallingHearts }),
  () => ({ default: () => null }),
);
const LazyHearts = lazy<ComponentType<ComponentProps<typeof FallingHearts>>>(() => heartsChunk);

export function Hearts(props: ComponentProps<typeof FallingHearts>) {
  return (
    <Suspense>
      <LazyHearts {...props} />
    </Suspense>
  );
}

type Props = {
  text: string | null;
  /** Time on screen in seconds: the text leaves 3 s before the end, and the hearts remain. */
  seconds?: number | undefined;
  /** Pauses all time (the page is hidden). */
  paused?: boolean | undefined;
  /** The text is over; only the hearts remain. */
  isTextOver?: boolean;
};

/** Shows the evening's last phrase, larger than all others, with falling hearts. Without text, only the hearts. */
export function Closing({
  text,
  seconds = CLOSING_PHRASE_MS / 1_000,
  paused = false,
  isTextOver = false,
}: Props) {
  const [endedText, setEndedText] = useState<string | null>(null);
  return (
    <section className={styles.scene} data-paused={paused}>
      <Hearts textKey={isTextOver || endedText === text ? null : text} />
      {!isTextOver && <ClosingText text={text} seconds={seconds} onTextEnd={() => setEndedText(text)} />}
    </section>
  );
}

type ClosingTextProps = { text: string | null; seconds: number; onTextEnd: () => void };

function ClosingText({ text, seconds, onTextEnd: onGone }: ClosingTextProps) {
  if (text === null) return <Heart lit stays className={styles.heart} />;
  return (
    <p
      dir="auto"
      className={styles.phrase}
      {...fontSizeFor(text)}
      style={{ '--seconds': `${seconds}s`, ...longestWordLength(text) }}
      aria-live="polite"
      data-words
      // The first animation shows the text, the second removes it.
      onAnimationEnd={({ animationName }) => {
        if (animationName.endsWith('leave')) onGone();
      }}
    >
      <Emphasis runs={emphasisRuns(text)} />
    </p>
  );
}
