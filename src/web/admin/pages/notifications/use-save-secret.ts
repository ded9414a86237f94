import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { saveWithMerge } from '../../components/forms/save-merging.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { messageOf } from '../../failure.ts';
import type { Secret } from './secrets.ts';

type Change = { text: string | null; record: ConfigRecord };

/**
 * Saves or removes a secret. The cache and the drafts never contain it. If it was changed elsewhere, judged by its masked
 * display, nothing is saved.
 */
export function useSaveSecret(secret: Secret, onSaved: () => void) {
  const queryClient = useQueryClient();
  const { texts } = secret;
  const read = () => queryClient.invalidateQueries({ queryKey: queries.config.read.queryKey() });
  return useMutation({
    mutationFn: (change: Change) => saveSecret(secret, change),
    onSuccess: async ({ kind }, { text }) => {
      if (kind === 'conflict') toastError(texts.changedElsewhere);
      else {
        toastSuccess(text === null ? texts.removed : texts.saved);
        onSaved();
      }
      await read();
    },
    onError: (error) => toastError(messageOf(error, notificationsTexts.saveFailed)),
  });
}

/** Saves like a form of one field, comparing only the masked display. */
function saveSecret({ field, shown }: Secret, { text, record }: Change) {
  const row = {
    read: configSource.read,
    save: ({ versione }: { versione: number }) => api.config.save({ versione, fields: { [field]: text } }),
    toValues: (latest: ConfigRecord) => ({ text: shown(latest) ?? '' }),
    toFields: () => ({}),
  };
  return saveWithMerge(row, record, { text: text ?? '' });
}
