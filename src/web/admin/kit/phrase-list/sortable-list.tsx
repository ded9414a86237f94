import { DragDropContext, Droppable } from '@hello-pangea/dnd';
import { useRef, useState } from 'react';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { styleNonce } from '../../nonce.ts';
import { speaking } from './announce.ts';
import { thenFocus } from './focus-row.ts';
import { named } from './merge-lists.ts';
import { SortableItem } from './sortable-item.tsx';
import styles from './sortable-list.module.css';

type SortableListProps = {
  label: string;
  phrases: readonly string[];
  /** What the server has, once saving has failed: the others are shown as not saved. */
  saved: readonly string[] | null;
  onMove: (from: number, to: number) => void;
  onReplace: (index: number, text: string) => void;
  onRemove: (index: number) => void;
  /** The phrase being edited, and whether there is something in it that would be lost. */
  onEditing: (index: number | undefined, changed: boolean) => void;
};

/** Phrases in an order that mouse, finger and keyboard can change. */
export function SortableList(props: SortableListProps) {
  const { label, phrases, saved, onMove, onReplace, onRemove, onEditing } = props;
  const [editing, setEditing] = useState<string>();
  const list = useRef<HTMLElement>(null);
  const items = named(phrases);
  const stored = saved && new Set(named(saved).map(({ name }) => name));

  function edit(index: number | undefined): void {
    setEditing(index === undefined ? undefined : items[index]?.name);
    onEditing(index, false);
  }
  function close(index: number, text: string | null): void {
    const end = () => {
      edit(undefined);
      if (text !== null && text !== phrases[index]) onReplace(index, text);
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
            {items.map(({ name, text }, index) => (
              <SortableItem
                key={name}
                name={name}
                text={text}
                place={{ index, total: items.length }}
                unsaved={stored !== null && !stored.has(name)}
                editing={editing === name}
                onMove={(to) => onMove(index, to)}
                onEdit={() => edit(index)}
                onWritten={(now) => onEditing(index, now !== text)}
                onEdited={(now) => close(index, now)}
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
