import type { ReactNode } from 'react';
import { accessScenes, wrongPages } from './access-scenes.tsx';
import { eveningScenes } from './evening-scenes.tsx';
import { filmScenes } from './film-scenes.tsx';
import { keepsakeScenes } from './keepsake-scenes.tsx';
import { noticeScenes } from './notice-scenes.tsx';
import { rehearsalScenes } from './rehearsal-scenes.tsx';

export type Scene = {
  name: string;
  /** Follows the phone's theme. */
  themed?: boolean;
  /** Called once, in a page that shows nothing else. */
  draw: () => ReactNode;
};

/** All scenes, in the order of the evening. */
export const GROUPS: { name: string; scenes: Scene[] }[] = [
  { name: 'Access', scenes: accessScenes },
  { name: 'Evening', scenes: eveningScenes },
  { name: 'Film', scenes: filmScenes },
  { name: 'Notices', scenes: noticeScenes },
  { name: 'Keepsake', scenes: keepsakeScenes },
  { name: 'Rehearsal', scenes: rehearsalScenes },
  { name: 'Wrong pages', scenes: wrongPages },
];

/** @param id group name and scene name, separated by a slash */
export function findScene(id: string): Scene | undefined {
  return GROUPS.flatMap(({ name, scenes }) => scenes.filter((scene) => `${name}/${scene.name}` === id)).at(0);
}
