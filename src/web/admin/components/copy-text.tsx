import { Stack, Text, Textarea } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { tokensTexts } from '../../../texts/admin/tokens.ts';
import { toastSuccess } from '../../ui/toaster/toast.ts';

/**
 * Copies a text and confirms it. If the clipboard is unavailable, opens a dialog with the text selected.
 * @param caution warning to read before using the text
 */
export async function copyText(text: string, copied: string, caution?: string): Promise<void> {
  try {
    // Without a secure connection `navigator.clipboard` is undefined.
    await navigator.clipboard.writeText(text);
    toastSuccess(copied, caution === undefined ? {} : { description: caution, duration: CAUTION_MS });
  } catch {
    openModal({ title: tokensTexts.copyByHand, children: <Selected text={text} caution={caution} /> });
  }
}

/** Duration of a toast with a caution, in ms; it takes longer to read. */
const CAUTION_MS = 10_000;

function Selected({ text, caution }: { text: string; caution: string | undefined }) {
  return (
    <Stack>
      {caution !== undefined && <Text fw={600}>{caution}</Text>}
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
