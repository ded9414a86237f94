import { DragDropContext, type DragDropContextProps, Droppable } from '@hello-pangea/dnd';
import { useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isBlank } from '../../../../domain/blank.ts';
import { type PhraseList } from '../../../../domain/configuration.ts';
import { displaySeconds } from '../../../../domain/content.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { useRecipientName } from '../../components/use-her-name.ts';
import { styleNonce } from '../../nonce.ts';
import { nextRows } from './lists.ts';
import { named } from './merge-lists.ts';
import { PhraseRow, type RowActions } from './phrase-row.tsx';
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

/** Focuses the box of the last phrase. */
export function focusLastBox(around: HTMLElement | null): void {
  [...(around?.querySelectorAll<HTMLElement>('ol textarea:not([aria-hidden])') ?? [])].at(-1)?.focus();
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
