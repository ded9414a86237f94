import { Stack, Text, Textarea } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { tokensTexts } from '../../../texts/admin/tokens.ts';
import { toastSuccess } from '../../ui/toaster/toast.ts';

/** Copies a text and confirms it. If the clipboard is unavailable, opens a dialog with the text selected. */
export async function copyText(text: string, copied: string): Promise<void> {
  try {
    // Without a secure connection `navigator.clipboard` is undefined.
    await navigator.clipboard.writeText(text);
    toastSuccess(copied);
  } catch {
    openModal({
      title: tokensTexts.copyByHand,
      children: (
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
      ),
    });
  }
}
