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

/** One save: `values` as they were written, `mine` as they are stored, from which record on, and whether somebody asked for it. */
export type SaveRequest<R, V> = { base: R; values: V; mine: V; byHand: boolean };

/**
 * Saves the form's values. A save somebody asked for tells how it went; one that came by itself only tells that it failed, and once while
 * it goes on failing. `onDone` hears where it ended, and what had been sent.
 */
export function useSaving<R extends Versioned, V extends Values>(
  { source, toValues, toFields, sentences }: RecordFormOptions<R, V>,
  onDone: (outcome: SaveResult<R, V>, sent: SaveRequest<R, V>) => void,
) {
  const queryClient = useQueryClient();
  const [toldOf, setToldOf] = useState<string | null>(null);
  const awaited = useRef(false);
  // Known at once, and not only when this is drawn again: a press on «Salva» leaves the field in the same moment.
  const underWay = useRef(false);
  const { isPending, error, variables, mutate } = useMutation({
    mutationFn: ({ base, mine }: SaveRequest<R, V>) =>
      saveWithMerge<R, V>({ read: source.read, save: source.save, toValues, toFields }, base, mine),
    onSuccess: (outcome, sent) => {
      queryClient.setQueryData(source.query.queryKey, outcome.record);
      const byHand = sent.byHand || awaited.current;
      onDone(outcome, { ...sent, byHand });
      setToldOf(null);
      if (outcome.kind === 'saved') tell(outcome.bin, byHand);
      awaited.current = false;
    },
    onError: (failure, { byHand }) => {
      const sentence = sentenceFor(failure, sentences.saveFailed);
      if (byHand || awaited.current || sentence !== toldOf) showSaveFailed(sentence, sentences);
      setToldOf(sentence);
      // What was read is not what is there any more.
      if (isRefusal(failure, 'NOT_FOUND'))
        void queryClient.invalidateQueries({ queryKey: source.query.queryKey });
      awaited.current = false;
    },
    onSettled: () => {
      underWay.current = false;
    },
  });
  /** What was emptied is told even where it saved itself: it may be a slip of the hand. */
  function tell(bin: string[], byHand: boolean): void {
    const undo = bin.length > 0 ? restoreAction(queryClient, bin) : {};
    if (byHand) showSaved(sentences, undo);
    else if (bin.length > 0) toastSuccess(binTexts.emptied(bin.length), undo);
  }
  /** Somebody asks for the save that is on its way: it tells how it went. */
  const promiseWord = () => {
    awaited.current = true;
  };
  return {
    saving: isPending,
    failure: error === null ? null : sentenceFor(error, sentences.saveFailed),
    /** What the last save tried in vain to store. */
    failed: error === null ? null : (variables?.values ?? null),
    /** One save at a time: what is asked for while one is on its way goes with the next. */
    send(sent: SaveRequest<R, V>): void {
      if (underWay.current) {
        if (sent.byHand) promiseWord();
        return;
      }
      underWay.current = true;
      mutate(sent);
    },
    promiseWord,
  };
}
