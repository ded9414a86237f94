import type { QueryClient } from '@tanstack/react-query';
import type { RestoreResult } from '../../../domain/bin.ts';
import { binTexts } from '../../../texts/admin/bin.ts';
import { type ToastOptions, toastError, toastSuccess } from '../../ui/toaster/toast.ts';
import { api, queries } from '../api.ts';
import { messageOf } from '../failure.ts';

/** Time in ms for which a toast offers to undo a deletion; later the bin offers it. */
const UNDO_MS = 8_000;

/** Restores items by their bin ids, reports how, and refetches what may have changed. */
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

/** Reports a deletion, with «Annulla» in the toast. */
export function showDeleted(client: QueryClient, sentence: string, ids: readonly string[]): void {
  toastSuccess(sentence, restoreAction(client, ids));
}

/** Returns «Annulla» for a toast about new items in the bin, and refetches the bin. */
export function restoreAction(client: QueryClient, ids: readonly string[]): ToastOptions {
  void client.invalidateQueries({ queryKey: queries.bin.key() });
  const action = { label: binTexts.undo, onClick: () => void restoreFromBin(client, ids) };
  return { action, duration: UNDO_MS };
}
