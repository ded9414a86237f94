import type { DraggableProvidedDragHandleProps } from '@hello-pangea/dnd';
import { ActionIcon, Badge } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPencil, IconTrash } from '@tabler/icons-react';
import type { MouseEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import styles from './sortable-list.module.css';

type PhraseRowProps = {
  text: string;
  place: { index: number; total: number };
  unsaved: boolean;
  handle: DraggableProvidedDragHandleProps | null;
  onMove: (to: number) => void;
  onEdit: () => void;
  onRemove: () => void;
};

/** One phrase of a list, with its handle and what can be done to it. */
export function PhraseRow({ text, place, unsaved, handle, onMove, onEdit, onRemove }: PhraseRowProps) {
  const { actions } = texts;
  const { index, total } = place;
  return (
    <div className={styles.row}>
      <span {...handle} className={styles.handle} aria-label={actions.drag(text)}>
        <IconGripVertical size={20} aria-hidden />
      </span>
      <span>
        <span className={styles.text}>{text}</span>{' '}
        {unsaved && (
          <Badge component="span" color="red" variant="light" tt="none">
            {texts.notSaved}
          </Badge>
        )}
      </span>
      <span className={styles.actions}>
        <Action
          label={actions.up(text)}
          off={index === 0}
          onClick={(event) => stay(event, () => onMove(index - 1))}
        >
          <IconArrowUp size={18} aria-hidden />
        </Action>
        <Action
          label={actions.down(text)}
          off={index === total - 1}
          onClick={(event) => stay(event, () => onMove(index + 1))}
        >
          <IconArrowDown size={18} aria-hidden />
        </Action>
        <Action name="edit" label={actions.edit(text)} onClick={onEdit}>
          <IconPencil size={18} aria-hidden />
        </Action>
        <Action name="remove" label={actions.remove(text)} onClick={onRemove}>
          <IconTrash size={18} aria-hidden />
        </Action>
      </span>
    </div>
  );
}

type ActionProps = {
  name?: 'edit' | 'remove';
  label: string;
  off?: boolean;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
  children: ReactNode;
};

/** `aria-disabled` and not `disabled`: the button that was just pressed keeps the keyboard's focus. */
function Action({ name, label, off = false, onClick, children }: ActionProps) {
  return (
    <ActionIcon
      aria-label={label}
      data-action={name}
      aria-disabled={off}
      className={off ? styles.off : undefined}
      variant="subtle"
      color="gray"
      size={40}
      onClick={(event) => {
        if (!off) onClick(event);
      }}
    >
      {children}
    </ActionIcon>
  );
}

/** A row that changes its place takes the focus of its button along. */
function stay(event: MouseEvent<HTMLButtonElement>, move: () => void): void {
  const button = event.currentTarget;
  flushSync(move);
  button.focus();
}
