import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { binTexts } from '../../../../texts/admin/bin.ts';
import { toastSuccess } from '../../../ui/toaster/toast.ts';
import { isRefusal } from '../../failure.ts';
import { restoreAction } from '../take-back.ts';
import type { RecordFormOptions } from './form-options.ts';
import type { Values } from './merge-values.ts';
import { type SaveResult, saveWithMerge, type Versioned } from './save-merging.ts';
import { sentenceFor, showSaved, showSaveFailed } from './tell.ts';

/** One save: typed `values`, `mine` as stored, the base record, and whether the administrator requested it. */
export type SaveRequest<R, V> = { base: R; values: V; mine: V; byHand: boolean };

/**
 * Saves the form's values. A requested save reports its result; an automatic one only reports each different failure once.
 * `onDone` receives the result and the request.
 */
export function useSaving<R extends Versioned, V extends Values>(
  { source, toValues, toFields, sentences }: RecordFormOptions<R, V>,
  onDone: (result: SaveResult<R, V>, sent: SaveRequest<R, V>) => void,
) {
  const queryClient = useQueryClient();
  const [reportedFailure, setReportedFailure] = useState<string | null>(null);
  const isRequested = useRef(false);
  // A ref, not state: pressing «Salva» also leaves the field, before the next render.
  const isRunning = useRef(false);
  const { isPending, error, variables, mutate } = useMutation({
    mutationFn: ({ base, mine }: SaveRequest<R, V>) =>
      saveWithMerge<R, V>({ read: source.read, save: source.save, toValues, toFields }, base, mine),
    onSuccess: (result, sent) => {
      queryClient.setQueryData(source.query.queryKey, result.record);
      const byHand = sent.byHand || isRequested.current;
      onDone(result, { ...sent, byHand });
      setReportedFailure(null);
      if (result.kind === 'saved') report(result.bin, byHand);
      isRequested.current = false;
    },
    onError: (failure, { byHand }) => {
      const sentence = sentenceFor(failure, sentences.saveFailed);
      if (byHand || isRequested.current || sentence !== reportedFailure) showSaveFailed(sentence, sentences);
      setReportedFailure(sentence);
      // The record was deleted; the cache is outdated.
      if (isRefusal(failure, 'NOT_FOUND'))
        void queryClient.invalidateQueries({ queryKey: source.query.queryKey });
      isRequested.current = false;
    },
    onSettled: () => {
      isRunning.current = false;
    },
  });
  /** Reports emptied content even after an automatic save, with an undo action: it may be a mistake. */
  function report(bin: string[], byHand: boolean): void {
    const undo = bin.length > 0 ? restoreAction(queryClient, bin) : {};
    if (byHand) showSaved(sentences, undo);
    else if (bin.length > 0) toastSuccess(binTexts.emptied(bin.length), undo);
  }
  /** Makes the running save report its result. */
  const promiseWord = () => {
    isRequested.current = true;
  };
  return {
    saving: isPending,
    failure: error === null ? null : sentenceFor(error, sentences.saveFailed),
    /** The values that the last save failed to store. */
    failed: error === null ? null : (variables?.values ?? null),
    /** Starts a save. During a running save it does nothing: the change goes with the next one. */
    send(sent: SaveRequest<R, V>): void {
      if (isRunning.current) {
        if (sent.byHand) promiseWord();
        return;
      }
      isRunning.current = true;
      mutate(sent);
    },
    promiseWord,
  };
}
