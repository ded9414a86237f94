import type { DragDropContextProps } from '@hello-pangea/dnd';
import { phraseListTexts } from '../../../../texts/admin/phrases.ts';

const spoken = phraseListTexts.spoken;

type Speech = Required<Pick<DragDropContextProps, 'onDragStart' | 'onDragUpdate' | 'onDragEnd'>>;

/** What is read aloud while a phrase of a list moves, and what happens where it lands. */
export function speaking(total: number, onMove: (from: number, to: number) => void): Speech {
  return {
    onDragStart: ({ source }, { announce }) => announce(spoken.lifted(source.index + 1, total)),
    onDragUpdate: ({ destination }, { announce }) =>
      announce(destination === null ? spoken.outside : spoken.moved(destination.index + 1, total)),
    onDragEnd: ({ source, destination, reason }, { announce }) => {
      if (reason === 'CANCEL' || destination === null) return announce(spoken.cancelled(source.index + 1));
      announce(spoken.dropped(source.index + 1, destination.index + 1));
      if (destination.index !== source.index) onMove(source.index, destination.index);
    },
  };
}
