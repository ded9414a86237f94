import { Draggable } from '@hello-pangea/dnd';
import { Badge, Text, Textarea } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '@tabler/icons-react';
import { memo } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { countBelow } from '../../components/forms/count.tsx';
import { RowAction } from '../../components/row-action.tsx';
import { createPasteHandler } from './lists.ts';
import styles from './phrase-rows.module.css';

/** Actions of a row. The functions are stable, so a row only rerenders when its data changes. */
export type RowActions = {
  onWrite: (index: number, text: string) => void;
  onTouch: (index: number) => void;
  onMove: (from: number, to: number) => void;
  onRemove: (index: number) => void;
  /** Called when several lines are pasted into a blank row. */
  onPaste: (index: number, text: string) => void;
};

type PhraseRowProps = {
  id: string;
  text: string;
  index: number;
  total: number;
  /** Displayed duration in whole seconds if longer than chosen, else null. */
  stays: number | null;
  /** True if saving failed and the server does not have this phrase. */
  unsaved: boolean;
  actions: RowActions;
};

/** One phrase: a text box with a drag handle and its actions. */
export const PhraseRow = memo(function PhraseRow({
  id,
  text,
  index,
  total,
  actions,
  ...hints
}: PhraseRowProps) {
  const itemName = isBlank(text) ? texts.item(index + 1) : text;
  return (
    <Draggable draggableId={id} index={index}>
      {({ innerRef, draggableProps, dragHandleProps }, { isDragging }) => (
        <li ref={innerRef} {...draggableProps} className={styles.row} data-dragging={isDragging}>
          <span
            {...dragHandleProps}
            className={styles.handle}
            data-number={index + 1}
            aria-label={texts.actions.drag(itemName)}
          >
            <IconGripVertical size={20} aria-hidden />
          </span>
          <Box text={text} index={index} actions={actions} />
          <RowHints {...hints} />
          <span className={styles.actions}>
            <RowAction
              label={texts.actions.up(itemName)}
              off={index === 0}
              onClick={() => actions.onMove(index, index - 1)}
            >
              <IconArrowUp size={18} aria-hidden />
            </RowAction>
            <RowAction
              label={texts.actions.down(itemName)}
              off={index === total - 1}
              onClick={() => actions.onMove(index, index + 1)}
            >
              <IconArrowDown size={18} aria-hidden />
            </RowAction>
            <RowAction
              name="remove"
              label={texts.actions.remove(itemName)}
              onClick={() => actions.onRemove(index)}
            >
              <IconTrash size={18} aria-hidden />
            </RowAction>
          </span>
        </li>
      )}
    </Draggable>
  );
});

function Box({ text, index, actions }: Pick<PhraseRowProps, 'text' | 'index' | 'actions'>) {
  return (
    <Textarea
      className={styles.text}
      aria-label={texts.item(index + 1)}
      size="md"
      autosize
      minRows={3}
      maxRows={10}
      maxLength={MAX_LENGTH.phrase}
      value={text}
      onChange={(event) => {
        actions.onWrite(index, event.currentTarget.value);
        actions.onTouch(index);
      }}
      onFocus={() => actions.onTouch(index)}
      onPaste={createPasteHandler(text, (pasted) => actions.onPaste(index, pasted))}
      inputContainer={countBelow(text, MAX_LENGTH.phrase)}
    />
  );
}

function RowHints({ stays, unsaved }: Pick<PhraseRowProps, 'stays' | 'unsaved'>) {
  return (
    <span className={styles.told}>
      {stays !== null && (
        <Text span size="sm" c="dimmed">
          {texts.stays(stays)}
        </Text>
      )}
      {unsaved && (
        <Badge component="span" color="red" variant="light" tt="none">
          {texts.notSaved}
        </Badge>
      )}
    </span>
  );
}
