import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notificationsTexts as texts } from '../../../../texts/admin/notifications.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { saveMerging } from '../../components/forms/save-merging.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { messageOf } from '../../failure.ts';

type Change = { token: string | null; record: ConfigRecord };

/**
 * Saves the bot token, or takes it away. It goes one way: neither the cache nor the drafts ever hold it. Where somebody else has changed
 * the token meanwhile nothing is saved.
 */
export function useSaveToken(onSaved: () => void) {
  const queryClient = useQueryClient();
  const read = () => queryClient.invalidateQueries({ queryKey: queries.config.read.queryKey() });
  return useMutation({
    mutationFn: saveToken,
    onSuccess: async ({ kind }, { token }) => {
      if (kind === 'conflict') toastError(texts.token.changedElsewhere);
      else {
        toastSuccess(token === null ? texts.token.removed : texts.token.saved);
        onSaved();
      }
      await read();
    },
    onError: (error) => toastError(messageOf(error, texts.saveFailed)),
  });
}

/** As a form of one field, of which only the masked form is ever read. */
function saveToken({ token, record }: Change) {
  const row = {
    read: configSource.read,
    save: ({ versione }: { versione: number }) =>
      api.config.save({ versione, fields: { telegram_bot_token: token } }),
    toValues: ({ telegram_bot_token_masked }: ConfigRecord) => ({ token: telegram_bot_token_masked ?? '' }),
    toFields: () => ({}),
  };
  return saveMerging(row, record, { token: token ?? '' });
}
