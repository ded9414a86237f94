import { DragDropContext, Droppable } from '@hello-pangea/dnd';
import { useRef } from 'react';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { styleNonce } from '../../nonce.ts';
import { speaking } from './announce.ts';
import { thenFocus, thenWrite } from './focus-row.ts';
import { type Named, named } from './merge-lists.ts';
import { SortableItem } from './sortable-item.tsx';
import styles from './sortable-list.module.css';
import type { EditedList } from './use-open-edits.ts';

type SortableListProps = {
  label: string;
  phrases: readonly string[];
  /** What the server has, once saving has failed: the others are shown as not saved. */
  saved: readonly string[] | null;
  /** The phrases that are being rewritten. */
  edited: EditedList;
  onMove: (from: number, to: number) => void;
  onReplace: (index: number, text: string) => void;
  onRemove: (index: number) => void;
  /** The phrase that is being rewritten now, if any. */
  onTouched: (index: number | undefined) => void;
};

/** Phrases in an order that mouse, finger and keyboard can change. */
export function SortableList(props: SortableListProps) {
  const { label, phrases, saved, edited, onMove, onReplace, onRemove, onTouched } = props;
  const list = useRef<HTMLElement>(null);
  const items = named(phrases);
  const stored = saved && new Set(named(saved).map(({ name }) => name));

  function edit(index: number, phrase: Named): void {
    onTouched(index);
    thenWrite(list.current, () => edited.open(phrase), index);
  }
  function close(index: number, phrase: Named, text: string | null): void {
    const end = () => {
      edited.close(phrase.name);
      onTouched(undefined);
      if (text !== null && text !== phrase.text) onReplace(index, text);
    };
    thenFocus(list.current, end, index, 'edit');
  }
  return (
    <DragDropContext
      nonce={styleNonce()}
      dragHandleUsageInstructions={texts.spoken.howTo}
      {...speaking(items.length, onMove)}
    >
      <Droppable droppableId="phrases">
        {({ innerRef, droppableProps, placeholder }) => (
          <ol
            ref={(element) => {
              list.current = element;
              innerRef(element);
            }}
            {...droppableProps}
            className={styles.list}
            aria-label={label}
          >
            {items.map((phrase, index) => (
              <SortableItem
                key={phrase.name}
                {...phrase}
                place={{ index, total: items.length }}
                unsaved={stored !== null && !stored.has(phrase.name)}
                written={edited.edits.find(({ name }) => name === phrase.name)?.now}
                onMove={(to) => onMove(index, to)}
                onEdit={() => edit(index, phrase)}
                onWritten={(now) => {
                  edited.write(phrase.name, now);
                  onTouched(index);
                }}
                onEdited={(text) => close(index, phrase, text)}
                onRemove={() => thenFocus(list.current, () => onRemove(index), index, 'remove')}
              />
            ))}
            {placeholder}
          </ol>
        )}
      </Droppable>
    </DragDropContext>
  );
}
