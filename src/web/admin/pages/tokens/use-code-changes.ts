import { useMutation, useQueryClient } from '@tanstack/react-query';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { queries } from '../../api.ts';
import { showDeleted } from '../../components/take-back.ts';
import { messageOf } from '../../failure.ts';

/** Changes to codes. Each reports its result, and the list is refetched even after a failure, because only the reply may be lost. */
export function useCodeChanges() {
  const client = useQueryClient();
  const refetch = () => client.invalidateQueries({ queryKey: queries.tokens.key() });
  const reporting = <Input>(done: (input: Input) => string, failed: string) => ({
    onSuccess: (_answer: unknown, input: Input) => toastSuccess(done(input)),
    onError: (error: Error) => toastError(messageOf(error, failed)),
    onSettled: refetch,
  });
  const { tokens } = queries;
  const { saveFailed } = tokensTexts;
  return {
    setActive: useMutation(
      tokens.setActive.mutationOptions(
        reporting(({ attivo }) => (attivo ? tokensTexts.restored : tokensTexts.revoked), saveFailed),
      ),
    ),
    addAccess: useMutation(
      tokens.addAccess.mutationOptions(reporting(() => tokensTexts.accessAdded, saveFailed)),
    ),
    extend: useMutation(tokens.extend.mutationOptions(reporting(() => tokensTexts.extended, saveFailed))),
    remove: useMutation(
      tokens.remove.mutationOptions({
        ...reporting(() => tokensTexts.removed, tokensTexts.removeFailed),
        onSuccess: ({ bin }) => showDeleted(client, tokensTexts.removed, [bin]),
      }),
    ),
    create: useMutation(
      tokens.create.mutationOptions({
        ...reporting(() => tokensTexts.create.created, tokensTexts.create.failed),
        // Does not wait for the refetch, so that the form is cleared before the next code is typed.
        onSettled: () => void refetch(),
      }),
    ),
  };
}
