import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { messageOf } from '../../failure.ts';
import { sameValues } from '../config-form/same-value.ts';
import { type ConfigRecord, configSource } from '../config-form/sources.ts';
import { useDraft } from '../config-form/use-draft.ts';
import { createAutosave } from './autosave.ts';
import { type ListName, mergePhraseLists, moved, type PhraseLists } from './lists.ts';

/** The phrases of the first trip, which save themselves, and what can be done to them. */
export function usePhraseLists(record: ConfigRecord) {
  const queryClient = useQueryClient();
  const [autosave] = useState(() => {
    const made = startAutosave(record);
    // Other pages read what was saved here.
    made.subscribe(() => {
      const { saved, versione } = made.state();
      queryClient.setQueryData(configSource.query.queryKey, (known) =>
        known && known.versione < versione ? { ...known, ...saved, versione } : known,
      );
    });
    return made;
  });
  const state = useSyncExternalStore(autosave.subscribe, autosave.state);
  const { value, saved, versione } = state;
  useEffect(() => autosave.adopt(listsOf(record), record.versione), [autosave, record]);
  useEffect(() => {
    const again = () => {
      if (autosave.state().error !== null) autosave.retry();
    };
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [autosave]);
  const { offer, forget } = useDraft('frasi', { values: value, before: saved, versione });

  const edit = (list: ListName, next: (texts: string[]) => string[], onSaved: () => void) =>
    autosave.change((lists) => ({ ...lists, [list]: next(lists[list]) }), onSaved);
  const said = (sentence: string) => () => toastSuccess(sentence);

  return {
    lists: value,
    saved,
    saving: state.saving,
    failure: state.error === null ? null : messageOf(state.error, texts.saveFailed),
    unsaved: !sameValues(value, saved),
    retry: autosave.retry,
    add: (list: ListName, text: string) => edit(list, (all) => [...all, text], said(texts.added)),
    move: (list: ListName, from: number, to: number) =>
      edit(list, (all) => moved(all, from, to), said(texts.reordered)),
    replace: (list: ListName, index: number, text: string) =>
      edit(list, (all) => all.with(index, text), said(texts.edited)),
    remove(list: ListName, index: number): void {
      const text = value[list][index];
      if (text === undefined) return;
      const putBack = () =>
        edit(list, (all) => all.toSpliced(Math.min(index, all.length), 0, text), said(texts.undone));
      const told = () =>
        toastSuccess(texts.removed, { action: { label: texts.undo, onClick: putBack }, duration: UNDO_MS });
      edit(list, (all) => all.toSpliced(index, 1), told);
    },
    setSeconds: (durata_frase_secondi: number) =>
      autosave.change((lists) => ({ ...lists, durata_frase_secondi }), said(texts.secondsSaved)),
    draft: {
      offered: offer !== null,
      restore(): void {
        if (offer === null) return;
        autosave.change((lists) => mergePhraseLists(offer.before, offer.values, lists), said(texts.undone));
        forget();
      },
      discard: forget,
    },
  };
}

/** For so long a removal can be taken back, in milliseconds. */
const UNDO_MS = 8_000;

function startAutosave(record: ConfigRecord) {
  return createAutosave<PhraseLists>(
    { value: listsOf(record), versione: record.versione },
    {
      read: async () => {
        const { versione, ...fields } = await configSource.read();
        return { value: listsOf(fields), versione };
      },
      save: (fields, versione) => configSource.save({ versione, fields }),
      same: sameValues,
      merge: mergePhraseLists,
      onFailed: (error) => toastError(messageOf(error, texts.saveFailed)),
    },
  );
}

function listsOf({ frasi_pre_video, frasi, durata_frase_secondi }: PhraseLists): PhraseLists {
  return { frasi_pre_video, frasi, durata_frase_secondi };
}
