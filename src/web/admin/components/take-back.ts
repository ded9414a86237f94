import type { QueryClient } from '@tanstack/react-query';
import type { RestoreResult } from '../../../domain/bin.ts';
import { binTexts } from '../../../texts/admin/bin.ts';
import { type ToastOptions, toastError, toastSuccess } from '../../ui/toaster/toast.ts';
import { api, queries } from '../api.ts';
import { messageOf } from '../failure.ts';

/** For so long what was deleted can be taken back in its notice, in milliseconds; later in the bin. */
const UNDO_MS = 8_000;

/** Takes things out of the bin again, by the ids they have there, and says how they came back. What they may have changed is read again. */
export async function restoreFromBin(client: QueryClient, ids: readonly string[]): Promise<void> {
  try {
    let came: RestoreResult = 'back';
    for (const id of ids) ({ came } = await api.bin.restore({ id }));
    toastSuccess(binTexts.came[came]);
  } catch (error) {
    toastError(messageOf(error, binTexts.restoreFailed));
  }
  const { bin, media, config, questions, tokens, dashboard } = queries;
  for (const read of [bin, media, config, questions, tokens, dashboard])
    void client.invalidateQueries({ queryKey: read.key() });
}

/** Says that something was deleted, with «Annulla» in the notice. */
export function showDeleted(client: QueryClient, sentence: string, ids: readonly string[]): void {
  toastSuccess(sentence, restoreAction(client, ids));
}

/** «Annulla» for a notice about what has just come into the bin, which is read again. */
export function restoreAction(client: QueryClient, ids: readonly string[]): ToastOptions {
  void client.invalidateQueries({ queryKey: queries.bin.key() });
  const action = { label: binTexts.undo, onClick: () => void restoreFromBin(client, ids) };
  return { action, duration: UNDO_MS };
}
