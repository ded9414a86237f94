import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { Screen } from '../../../experience/selectors.ts';
import styles from './passing.module.css';

/** What passes one scene into the next; null until it is there. */
let passing: Record<'arrive' | 'leave', (scene: HTMLElement) => void> | null = null;
import('./passing.ts').then(
  ({ shrinkIntoPlace, fadeOutScene }) => {
    passing = { arrive: shrinkIntoPlace, leave: fadeOutScene };
  },
  () => undefined,
);

/** The stages that leave something on the screen. The closing has a curtain, the film its last picture, and phrases have gone before. */
const LEAVING: ReadonlySet<Screen> = new Set<Screen>(['destination', 'card', 'questions']);

/** The place of one stage on the screen, or of what stands between two: it dissolves over the one that follows. */
export function StageFrame({ stage, children }: { stage: Screen; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const leaves = LEAVING.has(stage);
  useLayoutEffect(() => {
    const scene = place.current;
    if (scene === null) return;
    passing?.arrive(scene);
    return () => {
      if (leaves) passing?.leave(scene);
    };
  }, [leaves]);
  return (
    <div ref={place} className={styles.scene}>
      {children}
    </div>
  );
}
