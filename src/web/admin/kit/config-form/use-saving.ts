import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RecordFormOptions } from './form-options.ts';
import type { Values } from './merge-values.ts';
import { type Saved, saveMerging, type Versioned } from './save-merging.ts';
import { sentenceFor, tellFailed, tellSaved } from './tell.ts';

/** Saves the form's values and tells how it went. `onDone` hears where it ended, and what had been sent. */
export function useSaving<R extends Versioned, V extends Values>(
  { source, toValues, toFields, sentences }: RecordFormOptions<R, V>,
  onDone: (outcome: Saved<R, V>, sent: V) => void,
) {
  const queryClient = useQueryClient();
  const { isPending, error, mutate } = useMutation({
    mutationFn: ({ base, values }: { base: R; values: V }) =>
      saveMerging<R, V>({ read: source.read, save: source.save, toValues, toFields }, base, values),
    onSuccess: (outcome, { values }) => {
      queryClient.setQueryData(source.query.queryKey, outcome.record);
      onDone(outcome, values);
      if (outcome.kind === 'saved') tellSaved(sentences);
    },
    onError: (failure) => tellFailed(sentenceFor(failure, sentences.saveFailed, sentences), sentences),
  });
  return {
    saving: isPending,
    failure: error === null ? null : sentenceFor(error, sentences.saveFailed, sentences),
    send: (base: R, values: V) => mutate({ base, values }),
  };
}
