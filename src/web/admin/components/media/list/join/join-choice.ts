import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { MediaItem } from '../../../../../../contract/admin/media-item.ts';
import { joinTexts } from '../../../../../../texts/admin/tickets.ts';

/** The tickets to join, and their order. */
export type JoinChoice = {
  /** All tickets in their order. */
  shown: readonly MediaItem[];
  /** The ticked tickets. */
  chosen: readonly MediaItem[];
  isChosen: (item: MediaItem) => boolean;
  choose: (item: MediaItem, chosen: boolean) => void;
  move: (from: number, to: number) => void;
  reset: () => void;
};

const NONE: ReadonlyMap<string, boolean> = new Map();

/** Initial order: the active ticket first; all are ticked except a joined PDF. Choices stay until reset, also when the list changes. */
export function useJoinChoice(items: readonly MediaItem[]): JoinChoice {
  const [order, setOrder] = useState<readonly string[]>([]);
  const [ticks, setTicks] = useState(NONE);
  const shown = inOrder(items, order);
  const isChosen = ({ id, nome }: MediaItem) => ticks.get(id) ?? nome !== joinTexts.fileName;
  return {
    shown,
    chosen: shown.filter(isChosen),
    isChosen,
    choose: ({ id }, chosen) => setTicks((before) => new Map(before).set(id, chosen)),
    move(from, to) {
      const ids = shown.map(({ id }) => id);
      ids.splice(to, 0, ...ids.splice(from, 1));
      // Rendered synchronously, so that the button which moved the row keeps the focus.
      flushSync(() => setOrder(ids));
    },
    reset() {
      setOrder([]);
      setTicks(NONE);
    },
  };
}

/** Sorts by `order`; other tickets follow, the active one first. */
function inOrder(items: readonly MediaItem[], order: readonly string[]): MediaItem[] {
  const put = order.flatMap((orderedId) => items.find(({ id }) => id === orderedId) ?? []);
  const others = items.filter((item) => !put.includes(item));
  return [...put, ...others.filter(({ attivo }) => attivo), ...others.filter(({ attivo }) => !attivo)];
}
