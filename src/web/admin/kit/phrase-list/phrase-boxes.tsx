import { ActionIcon, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { phraseBoxTexts as texts } from '../../../../texts/admin/phrases.ts';
import { toastSuccess } from '../../../ui/toaster/toast.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { countBelow } from '../config-form/count.tsx';
import styles from './phrase-boxes.module.css';

type PhraseBoxesProps = {
  phrases: readonly string[];
  onChange: (next: (phrases: readonly string[]) => string[]) => void;
  onFocus: (index: number) => void;
};

/** Phrases as boxes of three lines (spec 2), blank ones included: they are stored, and skipped when shown. */
export function PhraseBoxes({ phrases, onChange, onFocus }: PhraseBoxesProps) {
  const boxes = useRef<HTMLDivElement>(null);
  const full = phrases.length >= MAX_LENGTH.phrases;

  function add(): void {
    flushSync(() => onChange((all) => [...all, '']));
    [...(boxes.current?.querySelectorAll('textarea') ?? [])].at(-1)?.focus();
  }
  function remove(index: number): void {
    const text = phrases[index] ?? '';
    onChange((all) => all.toSpliced(index, 1));
    if (text.trim() === '') return;
    const putBack = () => onChange((all) => all.toSpliced(Math.min(index, all.length), 0, text));
    toastSuccess(texts.removed, { action: { label: texts.undo, onClick: putBack }, duration: UNDO_MS });
  }
  return (
    <Stack>
      {phrases.length === 0 && <EmptyState {...texts.empty} />}
      <Stack ref={boxes} gap="sm">
        {phrases.map((text, index) => (
          <Box
            // Boxes hold no state of their own: the position is their identity.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            text={text}
            index={index}
            onWrite={(now) => onChange((all) => all.with(index, now))}
            onFocus={() => onFocus(index)}
            onRemove={() => remove(index)}
          />
        ))}
      </Stack>
      {phrases.length > 0 && (
        <Text size="sm" c="dimmed">
          {full ? texts.full(MAX_LENGTH.phrases) : texts.blankHint}
        </Text>
      )}
      <Group>
        <Button
          variant={phrases.length === 0 ? 'light' : 'default'}
          size="md"
          disabled={full}
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={add}
        >
          {texts.add}
        </Button>
      </Group>
    </Stack>
  );
}

/** For so long a removal can be taken back, in milliseconds. */
const UNDO_MS = 8_000;

type BoxProps = {
  text: string;
  index: number;
  onWrite: (text: string) => void;
  onFocus: () => void;
  onRemove: () => void;
};

function Box({ text, index, onWrite, onFocus, onRemove }: BoxProps) {
  return (
    <div className={styles.box}>
      <Textarea
        className={styles.text}
        label={texts.item(index + 1)}
        size="md"
        autosize
        minRows={3}
        maxRows={10}
        maxLength={MAX_LENGTH.phrase}
        value={text}
        onChange={(event) => onWrite(event.currentTarget.value)}
        onFocus={onFocus}
        inputContainer={countBelow(text, MAX_LENGTH.phrase)}
      />
      <ActionIcon
        className={styles.remove}
        variant="subtle"
        color="gray"
        size={44}
        aria-label={texts.remove(index + 1)}
        onClick={onRemove}
      >
        <IconTrash size={20} aria-hidden />
      </ActionIcon>
    </div>
  );
}
