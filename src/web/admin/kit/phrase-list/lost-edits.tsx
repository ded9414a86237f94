import { Alert, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import { lostEdits } from './open-edits.ts';
import { PhraseEditor } from './phrase-editor.tsx';
import type { EditedList } from './use-open-edits.ts';

type LostEditsProps = { phrases: readonly string[]; edited: EditedList; onAdd: (text: string) => void };

/** What was written in the place of a phrase that is no longer there: it can become a phrase of its own. */
export function LostEdits({ phrases, edited, onAdd }: LostEditsProps) {
  const full = phrases.length >= MAX_LENGTH.phrases;
  return lostEdits(edited.edits, phrases).map(({ name, now }) => (
    <Alert key={name} color="yellow" icon={<IconHistory aria-hidden />}>
      <Stack gap="xs">
        <Text size="sm" role="status">
          {texts.lostEdit}
        </Text>
        <PhraseEditor
          text={now}
          onChange={(text) => edited.write(name, text)}
          onConfirm={(text) => {
            if (full) return toastError(texts.full(MAX_LENGTH.phrases));
            edited.close(name);
            onAdd(text);
          }}
          onCancel={() => edited.close(name)}
        />
      </Stack>
    </Alert>
  ));
}
