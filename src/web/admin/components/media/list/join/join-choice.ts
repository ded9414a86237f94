import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { MediaItem } from '../../../../../../contract/admin/media-item.ts';
import { joinTexts } from '../../../../../../texts/admin/tickets.ts';

/** Which tickets are to be joined, and in which order. */
export type JoinChoice = {
  /** All of them in their order. */
  shown: readonly MediaItem[];
  /** Those that were chosen. */
  chosen: readonly MediaItem[];
  isChosen: (item: MediaItem) => boolean;
  choose: (item: MediaItem, chosen: boolean) => void;
  move: (from: number, to: number) => void;
  reset: () => void;
};

const NONE: ReadonlyMap<string, boolean> = new Map();

/** At first the active one and then the others, all but what was joined before. What was chosen stays until it is reset, whatever the list becomes. */
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
      // Drawn at once: the button that moved the row keeps the focus.
      flushSync(() => setOrder(ids));
    },
    reset() {
      setOrder([]);
      setTicks(NONE);
    },
  };
}

/** As they were put; of the others, which come behind, the active one first. */
function inOrder(items: readonly MediaItem[], order: readonly string[]): MediaItem[] {
  const put = order.flatMap((wanted) => items.find(({ id }) => id === wanted) ?? []);
  const others = items.filter((item) => !put.includes(item));
  return [...put, ...others.filter(({ attivo }) => attivo), ...others.filter(({ attivo }) => !attivo)];
}
