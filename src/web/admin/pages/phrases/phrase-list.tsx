import { Alert, Button, Group, Stack, Switch, Text, Textarea } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isBlank } from '../../../../domain/blank.ts';
import type { PhraseList as ListName } from '../../../../domain/configuration.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { phraseIdeas, phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { IconClipboardText, IconPlus } from '../../../ui/icons/icons.tsx';
import { toastError } from '../../../ui/toaster/toast.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { countBelow } from '../../components/forms/text-fields.tsx';
import { Suggestions } from '../../components/suggestions/suggestions.tsx';
import styles from './add-box.module.css';
import { createPasteHandler, freeSlots, pasteOptions, piecesOf } from './lists.ts';
import { PhraseRows } from './phrase-rows.tsx';
import type { usePhraseLists } from './use-phrase-lists.ts';

/** Lines pasted into a list. `at`: index of the empty phrase they replace. */
export type PastedText = { list: ListName; text: string; at?: number };

type PhraseListProps = {
  list: ListName;
  phrases: ReturnType<typeof usePhraseLists>;
  /** Text typed and not added yet. */
  waiting: string;
  onWaiting: (text: string) => void;
  /** Pasted lines that are not added yet. */
  pasted: PastedText | null;
  onPasted: (pasted: PastedText | null) => void;
  /** True if an empty phrase may be added (spec 5). */
  allowsBlank: boolean;
  onTouched: (index: number | undefined) => void;
};

/** One list: the phrases in order, the box to add one below the last, and the switch for exact seconds. */
export function PhraseList({ list, phrases, pasted, onPasted, onTouched, ...box }: PhraseListProps) {
  const { lists, saved, failure } = phrases;
  const { durata_frase_secondi: seconds, frasi_secondi_esatti, [list]: shown } = lists;
  const exact = frasi_secondi_esatti.includes(list);
  const full = freeSlots(shown) === 0;
  const element = useRef<HTMLDivElement>(null);
  const addInput = useRef<HTMLTextAreaElement>(null);

  /** Adds a phrase and shows its row, above the phone's keyboard: the box below it keeps its place on the screen. */
  function append(add: () => void): HTMLTextAreaElement | undefined {
    const topOfBox = () => addInput.current?.getBoundingClientRect().top ?? 0;
    const top = topOfBox();
    flushSync(() => {
      add();
      onTouched(shown.length);
    });
    scrollBy(0, topOfBox() - top);
    const row = [...(element.current?.querySelectorAll<HTMLTextAreaElement>(ROW_BOXES) ?? [])].at(-1);
    row?.scrollIntoView({ block: 'nearest' });
    return row;
  }
  function open(row: HTMLTextAreaElement | undefined): void {
    row?.focus();
    row?.setSelectionRange(row.value.length, row.value.length);
  }
  function addPasted(pieces: string[]): void {
    if (pieces.length > 0) phrases.add(list, pieces, pasted?.at);
    onPasted(null);
    addInput.current?.focus();
  }
  return (
    <Stack ref={element}>
      {shown.length > 0 && (
        <PhraseRows
          list={list}
          phrases={shown}
          saved={failure === null ? null : saved[list]}
          seconds={seconds}
          exact={exact}
          actions={phrases}
          onTouched={onTouched}
          onPaste={(at, text) => onPasted({ list, text, at })}
        />
      )}
      <AddBox
        text={box.waiting}
        onText={box.onWaiting}
        full={full}
        allowsBlank={box.allowsBlank}
        onAdd={(text) => {
          const row = append(() => phrases.add(list, [text]));
          if (text === '') open(row);
        }}
        onPaste={(text) => onPasted({ list, text })}
        input={addInput}
      />
      <Suggestions
        key={list}
        ideas={phraseIdeas[list].map((idea) => [idea] as const)}
        open={shown.length === 0}
        disabled={full}
        onTake={([idea]) => open(append(() => phrases.take(list, idea)))}
      />
      {pasted !== null && (
        <Pasted
          text={pasted.text}
          room={freeSlots(shown)}
          onPieces={addPasted}
          onClose={() => addPasted([])}
        />
      )}
      {shown.length === 0 && <EmptyState drawing="phrases" {...texts.empty} />}
      <Switch
        label={texts.exact}
        description={texts.exactHint(seconds)}
        size="md"
        checked={exact}
        onChange={(event) => phrases.setExact(list, event.currentTarget.checked)}
      />
    </Stack>
  );
}

/** The boxes of the phrases in a list. An autosize box has a hidden copy that measures it. */
const ROW_BOXES = 'ol textarea:not([aria-hidden])';

type AddBoxProps = {
  /** Text typed and not added yet. */
  text: string;
  onText: (text: string) => void;
  /** True if the list has no free slot. */
  full: boolean;
  /** True if an empty phrase may be added, to be filled in the list (spec 5). */
  allowsBlank: boolean;
  onAdd: (text: string) => void;
  onPaste: (text: string) => void;
  input: RefObject<HTMLTextAreaElement | null>;
};

/** A second tap within this time after an addition, in ms, adds no empty phrase. */
const SAME_TAP_MS = 600;

/** Box for a new phrase. Enter adds it, Shift+Enter starts a new line. */
function AddBox({ text, onText, full, allowsBlank, onAdd, onPaste, input }: AddBoxProps) {
  const [refused, setRefused] = useState(false);
  const addedAt = useRef(Number.NEGATIVE_INFINITY);
  const error = full ? texts.full(MAX_LENGTH.phrases) : refused ? texts.blank : undefined;

  function add(): void {
    const blank = isBlank(text);
    if (blank && performance.now() - addedAt.current < SAME_TAP_MS) return;
    if (blank && !allowsBlank) {
      input.current?.focus();
      setRefused(true);
      return toastError(texts.blank);
    }
    onText('');
    if (!blank) {
      addedAt.current = performance.now();
      input.current?.focus();
    }
    onAdd(blank ? '' : text.trim());
  }
  function keyed(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!full) add();
  }
  return (
    <Textarea
      ref={input}
      label={texts.add}
      description={texts.addHint(matchMedia('(pointer: coarse)').matches)}
      size="md"
      autosize
      minRows={1}
      maxRows={6}
      maxLength={MAX_LENGTH.phrase}
      value={text}
      error={error}
      onChange={(event) => {
        onText(event.currentTarget.value);
        setRefused(false);
      }}
      onKeyDown={keyed}
      onPaste={createPasteHandler(text, onPaste)}
      inputContainer={withButton(
        text,
        <Button size="md" disabled={full} leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
          {texts.addButton}
        </Button>,
      )}
    />
  );
}

/** Places the button next to the field, with the count below. */
function withButton(text: string, button: ReactNode): (field: ReactNode) => ReactNode {
  const count = countBelow(text, MAX_LENGTH.phrase);
  return (field) => (
    <div className={styles.box}>
      <div className={styles.text}>{count(field)}</div>
      {button}
    </div>
  );
}

type PastedProps = {
  text: string;
  /** Number of free slots in the list. */
  room: number;
  onPieces: (pieces: string[]) => void;
  onClose: () => void;
};

/** Asks how to split several pasted lines into phrases. */
function Pasted({ text, room, onPieces, onClose }: PastedProps) {
  const ways = pasteOptions(text, room);
  return (
    <Alert
      color="wine"
      icon={<IconClipboardText aria-hidden />}
      title={texts.pasted.title(piecesOf(text).lines.length)}
      role="group"
      aria-label={texts.pasted.title(piecesOf(text).lines.length)}
    >
      <Stack gap="xs">
        <Text size="sm" className={styles.pasted}>
          {text.trim()}
        </Text>
        <Group gap="xs">
          {ways.map(({ way, pieces, fits }, index) => (
            <Button
              key={way}
              variant={index === 0 ? 'filled' : 'default'}
              data-autofocus={index === 0}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- it asks about what was just done here
              autoFocus={index === 0}
              disabled={!fits}
              onClick={() => onPieces(pieces)}
            >
              {texts.pasted[way](pieces.length)}
            </Button>
          ))}
          <Button variant="subtle" onClick={onClose}>
            {texts.pasted.close}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
