import { Stack, Text, Textarea } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { toastSuccess } from '../../../ui/toaster/toast.ts';

/** Copies a text and says so; where the browser has no clipboard or keeps it shut, the text is offered selected. */
export async function copyText(text: string, copied: string): Promise<void> {
  try {
    // Without a secure connection there is no clipboard at all.
    await navigator.clipboard.writeText(text);
    toastSuccess(copied);
  } catch {
    openModal({ title: tokensTexts.copyByHand, children: <Selected text={text} /> });
  }
}

function Selected({ text }: { text: string }) {
  return (
    <Stack>
      <Text>{tokensTexts.copyByHandHint}</Text>
      <Textarea
        aria-label={tokensTexts.copyByHand}
        value={text}
        readOnly
        autosize
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
    </Stack>
  );
}
