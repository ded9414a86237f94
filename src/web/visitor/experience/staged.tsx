import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { Screen } from '../../../experience/selectors.ts';
import styles from './passing.module.css';

/** The scene transitions; null until they are loaded. */
let transition: Record<'arrive' | 'leave', (scene: HTMLElement) => void> | null = null;
import('./passing.ts').then(
  ({ shrinkIntoPlace, fadeOutScene }) => {
    transition = { arrive: shrinkIntoPlace, leave: fadeOutScene };
  },
  () => undefined,
);

/** Stages whose scene fades over the next one. The closing and the film have their own transitions, and phrases have left before. */
const LEAVING: ReadonlySet<Screen> = new Set<Screen>(['destination', 'card', 'questions']);

/** Container of one stage, or of the screen between two; fades over the next one. */
export function StageFrame({ stage, children }: { stage: Screen; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const leaves = LEAVING.has(stage);
  useLayoutEffect(() => {
    const scene = place.current;
    if (scene === null) return;
    transition?.arrive(scene);
    return () => {
      if (leaves) transition?.leave(scene);
    };
  }, [leaves]);
  return (
    <div ref={place} className={styles.scene}>
      {children}
    </div>
  );
}
