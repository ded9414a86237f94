import { Button, Textarea } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import { countBelow } from '../config-form/count.tsx';
import { keepDraft, readDraft } from '../config-form/drafts.ts';
import styles from './add-box.module.css';

type AddBoxProps = {
  /** Names the text that waits here for its «Aggiungi»: it survives a reload. */
  name: string;
  /** There is no room for another one. */
  full: boolean;
  onAdd: (text: string) => void;
};

/** A second tap so soon after one that added, in milliseconds, is the same wish and no empty phrase. */
const SAME_TAP_MS = 600;

/** Where a new phrase is written; Enter adds it. */
export function AddBox({ name, full, onAdd }: AddBoxProps) {
  const [text, setText] = useWaitingText(name);
  const [refused, setRefused] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const addedAt = useRef(Number.NEGATIVE_INFINITY);
  const error = full ? texts.full(MAX_LENGTH.phrases) : refused ? texts.blank : undefined;

  function add(): void {
    input.current?.focus();
    const trimmed = text.trim();
    if (trimmed === '' && performance.now() - addedAt.current < SAME_TAP_MS) return;
    setRefused(trimmed === '');
    if (trimmed === '') return toastError(texts.blank);
    addedAt.current = performance.now();
    onAdd(trimmed);
    setText('');
  }
  function keyed(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!full) add();
  }
  return (
    <div className={styles.box}>
      <Textarea
        ref={input}
        className={styles.text}
        label={texts.add}
        description={texts.addHint}
        size="md"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={MAX_LENGTH.phrase}
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setRefused(false);
        }}
        onKeyDown={keyed}
        inputContainer={countBelow(text, MAX_LENGTH.phrase)}
      />
      <Button size="md" disabled={full} leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
        {texts.addButton}
      </Button>
    </div>
  );
}

function useWaitingText(name: string) {
  const [text, setText] = useState(() => readDraft(name, isText) ?? '');
  useEffect(() => keepDraft(name, text === '' ? null : JSON.stringify(text)), [name, text]);
  return [text, setText] as const;
}

function isText(draft: unknown): draft is string {
  return typeof draft === 'string';
}
