import { DragDropContext, type DragDropContextProps, Draggable, Droppable } from '@hello-pangea/dnd';
import { Badge, Text, Textarea } from '@mantine/core';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isBlank } from '../../../../domain/blank.ts';
import type { PhraseList } from '../../../../domain/configuration.ts';
import { displaySeconds } from '../../../../domain/content.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '../../../ui/icons/icons.tsx';
import { named } from '../../components/forms/merge.ts';
import { countBelow } from '../../components/forms/text-fields.tsx';
import { RowAction } from '../../components/row-action.tsx';
import { useRecipientName } from '../../components/use-her-name.ts';
import { styleNonce } from '../../nonce.ts';
import { createPasteHandler, nextRows } from './lists.ts';
import styles from './phrase-rows.module.css';
import type { PhraseActions } from './use-phrase-lists.ts';

type PhraseRowsProps = {
  list: PhraseList;
  phrases: readonly string[];
  /** The server's phrases after a failed save, to mark the others as not saved; else null. */
  saved: readonly string[] | null;
  /** Minimum duration in seconds; `exact`: exactly this duration. */
  seconds: number;
  exact: boolean;
  actions: PhraseActions;
  /** Called with the index of the edited phrase, or undefined. */
  onTouched: (index: number | undefined) => void;
  onPaste: (index: number, text: string) => void;
};

/** Phrases as text boxes, sortable by mouse, touch and keyboard. */
export function PhraseRows({ list, phrases, saved, seconds, exact, ...props }: PhraseRowsProps) {
  const element = useRef<HTMLElement>(null);
  const rows = useRows(phrases);
  const { personalize } = useRecipientName();
  const actions = useRowActions({ list, element, ...props });
  const stored = saved && new Set(named(saved).map(({ name }) => name));
  const names = stored && named(phrases).map(({ name }) => name);
  const staysOf = (text: string) => {
    const shown = personalize(text);
    const stays = isBlank(shown) ? 0 : displaySeconds(shown, seconds, exact);
    return stays > seconds ? Math.ceil(stays) : null;
  };
  return (
    <>
      <DragDropContext
        nonce={styleNonce()}
        dragHandleUsageInstructions={texts.announcements.howTo}
        {...createAnnouncements(rows.length, actions.onMove)}
      >
        <Droppable droppableId="phrases">
          {({ innerRef, droppableProps, placeholder }) => (
            <ol
              ref={(node) => {
                element.current = node;
                innerRef(node);
              }}
              {...droppableProps}
              className={styles.list}
              aria-label={texts.list(texts.lists[list])}
            >
              {rows.map(({ id, text }, index) => (
                <PhraseRow
                  key={id}
                  id={id}
                  text={text}
                  index={index}
                  total={rows.length}
                  stays={staysOf(text)}
                  unsaved={stored !== null && !stored.has(names?.[index] ?? '')}
                  actions={actions}
                />
              ))}
              {placeholder}
            </ol>
          )}
        </Droppable>
      </DragDropContext>
      <Text size="sm" c="dimmed">
        {texts.orderHint} {phrases.some((text) => isBlank(text)) && texts.blankHint}
      </Text>
    </>
  );
}

function useRows(phrases: readonly string[]) {
  const [rows, setRows] = useState(() => nextRows([], phrases));
  const same =
    rows.length === phrases.length && rows.every(({ text }, position) => text === phrases[position]);
  if (same) return rows;
  const next = nextRows(rows, phrases);
  setRows(next);
  return next;
}

type ActionsOf = Pick<PhraseRowsProps, 'list' | 'actions' | 'onTouched' | 'onPaste'> & {
  element: { current: HTMLElement | null };
};

/** Returns stable row actions, which read the latest props when called. */
function useRowActions(now: ActionsOf): RowActions {
  const latest = useRef(now);
  useLayoutEffect(() => {
    latest.current = now;
  });
  const [rowActions] = useState<RowActions>(() => ({
    onWrite: (index, text) => latest.current.actions.write(latest.current.list, index, text),
    onTouch: (index) => latest.current.onTouched(index),
    onMove: (from, to) => flushSync(() => latest.current.actions.move(latest.current.list, from, to)),
    onRemove(index) {
      const { actions, list, onTouched, element } = latest.current;
      flushSync(() => {
        actions.remove(list, index);
        onTouched(undefined);
      });
      // Moves the focus to the next row.
      const buttons = [...(element.current?.querySelectorAll<HTMLElement>('[data-action="remove"]') ?? [])];
      (buttons[index] ?? buttons.at(-1))?.focus();
    },
    onPaste: (index, text) => latest.current.onPaste(index, text),
  }));
  return rowActions;
}

const announceTexts = texts.announcements;

type Speech = Required<Pick<DragDropContextProps, 'onDragStart' | 'onDragUpdate' | 'onDragEnd'>>;

/** Announces a drag for screen readers, and moves the phrase when it is dropped. */
function createAnnouncements(total: number, onMove: (from: number, to: number) => void): Speech {
  return {
    onDragStart: ({ source }, { announce }) => announce(announceTexts.lifted(source.index + 1, total)),
    onDragUpdate: ({ destination }, { announce }) =>
      announce(
        destination === null ? announceTexts.outside : announceTexts.moved(destination.index + 1, total),
      ),
    onDragEnd: ({ source, destination, reason }, { announce }) => {
      if (reason === 'CANCEL' || destination === null)
        return announce(announceTexts.cancelled(source.index + 1));
      announce(announceTexts.dropped(source.index + 1, destination.index + 1));
      if (destination.index !== source.index) onMove(source.index, destination.index);
    },
  };
}

/** Actions of a row. The functions are stable, so a row only rerenders when its data changes. */
type RowActions = {
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
const PhraseRow = memo(function PhraseRow({ id, text, index, total, actions, ...hints }: PhraseRowProps) {
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
