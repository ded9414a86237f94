import { Stack, Text, Textarea } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { tokensTexts } from '../../../texts/admin/tokens.ts';
import { toastSuccess } from '../../ui/toaster/toast.ts';

/**
 * Copies a text and says so; where the browser has no clipboard or keeps it shut, the text is offered selected.
 * @param caution what should be known before the text is used
 */
export async function copyText(text: string, copied: string, caution?: string): Promise<void> {
  try {
    // Without a secure connection there is no clipboard at all.
    await navigator.clipboard.writeText(text);
    toastSuccess(copied, caution === undefined ? {} : { description: caution, duration: CAUTION_MS });
  } catch {
    openModal({ title: tokensTexts.copyByHand, children: <Selected text={text} caution={caution} /> });
  }
}

/** A caution takes longer to read than a confirmation, in milliseconds. */
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
