import { Button, Group, Stack, Textarea } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import { countBelow } from '../config-form/count.tsx';
import styles from './sortable-list.module.css';

type PhraseEditorProps = {
  /** As it is written now. */
  text: string;
  onChange: (text: string) => void;
  onConfirm: (text: string) => void;
  onCancel: () => void;
};

/** A phrase being rewritten in its place: Enter confirms, Escape gives up. */
export function PhraseEditor({ text, onChange, onConfirm, onCancel }: PhraseEditorProps) {
  const [refused, setRefused] = useState(false);

  function confirm(): void {
    const trimmed = text.trim();
    setRefused(trimmed === '');
    if (trimmed === '') toastError(texts.blank);
    else onConfirm(trimmed);
  }
  function keyed(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onCancel();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    confirm();
  }
  return (
    <Stack className={styles.editor} gap="xs">
      <Textarea
        aria-label={texts.actions.editing}
        size="md"
        autosize
        minRows={1}
        maxRows={8}
        maxLength={MAX_LENGTH.phrase}
        value={text}
        error={refused ? texts.blank : undefined}
        onChange={(event) => {
          setRefused(false);
          onChange(event.currentTarget.value);
        }}
        onKeyDown={keyed}
        inputContainer={countBelow(text, MAX_LENGTH.phrase)}
      />
      <Group gap="xs">
        <Button onClick={confirm}>{texts.actions.confirm}</Button>
        <Button variant="default" onClick={onCancel}>
          {texts.actions.cancel}
        </Button>
      </Group>
    </Stack>
  );
}
