import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import { PHRASE_LISTS, type PhraseList } from '../../../../domain/configuration.ts';
import { suggestionTexts, phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { toastSuccess } from '../../../ui/toaster/toast.ts';
import type { FormSentences } from '../../components/forms/form-options.ts';
import { sameValues } from '../../components/forms/merge.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { useDraft } from '../../components/forms/use-draft.ts';
import { sentenceFor, showSaved, showSaveFailed } from '../../components/forms/use-record.ts';
import { showWithUndo } from '../../components/undo.ts';
import { createAutosave } from './autosave.ts';
import { mergePhraseLists, moveItem, type PhraseLists, withoutLast, withSwitched } from './lists.ts';

/** Lists and sentences of a page. */
export type ListsPage = {
  /** Name of the draft; unique per page. */
  name: string;
  lists: readonly PhraseList[];
  /** True if this page sets the duration of all phrases. */
  setsSeconds?: boolean;
  sentences: FormSentences;
};

/** Phrase lists that save automatically. */
export function usePhraseLists(record: ConfigRecord, page: ListsPage) {
  const queryClient = useQueryClient();
  const [{ autosave, actions }] = useState(() => {
    const created = startAutosave(record, page);
    // Updates the cache, which other pages read.
    created.subscribe(() => {
      const { saved, versione } = created.state();
      queryClient.setQueryData(configSource.query.queryKey, (cached) =>
        cached && cached.versione < versione ? { ...cached, ...saved, versione } : cached,
      );
    });
    return { autosave: created, actions: actionsOf(created, page) };
  });
  const state = useSyncExternalStore(autosave.subscribe, autosave.state);
  const { value, saved, versione } = state;
  useEffect(() => autosave.adopt(listsOf(record), record.versione), [autosave, record]);
  useSavingLeftovers(autosave);
  const { offer, forget } = useDraft(page.name, { values: value, before: saved, versione });
  return {
    lists: value,
    saved,
    saving: state.saving,
    failure: state.error === null ? null : sentenceFor(state.error, page.sentences.saveFailed),
    unsaved: !sameValues(value, saved),
    ...actions,
    draft: {
      offered: offer !== null,
      restore(): void {
        if (offer === null) return;
        autosave.change(
          (lists) => mergePhraseLists(offer.before, offer.values, lists),
          successToast(texts.undone),
        );
        forget();
      },
      discard: forget,
    },
  };
}

export type PhraseActions = ReturnType<typeof actionsOf>;
type Autosave = ReturnType<typeof startAutosave>;

/** Returns the actions on a page's lists; the functions are stable while the page is open. */
function actionsOf(autosave: Autosave, { sentences }: ListsPage) {
  const edit = (list: PhraseList, next: (all: readonly string[]) => string[], onSaved: () => void) =>
    autosave.change((lists) => ({ ...lists, [list]: next(lists[list]) }), onSaved);
  const undoToast = (sentence: string, undo: () => void) => () => showWithUndo(sentence, undo);
  const backTo = (list: PhraseList, next: (all: readonly string[]) => string[]) => () =>
    edit(list, next, successToast(texts.undone));

  return {
    /** Updates a phrase while typing. */
    write: (list: PhraseList, index: number, text: string) =>
      autosave.write((lists) => ({
        ...lists,
        [list]: lists[list].map((other, position) => (position === index ? text : other)),
      })),
    /** Adds phrases at the end, or replaces the blank one at `at`. */
    add(list: PhraseList, added: readonly string[], at?: number): void {
      const one = added.length === 1;
      const whenSaved = one
        ? successToast(texts.added)
        : undoToast(
            texts.addedSeveral(added.length),
            backTo(list, (all) => withoutLast(all, added)),
          );
      edit(
        list,
        (all) => withAdded(all, added, at),
        added.every((text) => text === '') ? () => {} : whenSaved,
      );
    },
    /** Adds a suggested phrase at the end. */
    take(list: PhraseList, idea: string): void {
      const countBefore = timesIn(autosave.state().value[list], idea);
      const back = backTo(list, (all) => withoutLast(all, [idea]));
      // An edited suggestion stays.
      const isThere = () => timesIn(autosave.state().value[list], idea) > countBefore;
      const undoTake = () => (isThere() ? back() : toastSuccess(suggestionTexts.changed));
      edit(list, (all) => [...all, idea], undoToast(texts.added, undoTake));
    },
    move(list: PhraseList, from: number, to: number): void {
      const back = backTo(list, (all) => moveItem(all, to, from));
      edit(list, (all) => moveItem(all, from, to), undoToast(texts.reordered, back));
    },
    remove(list: PhraseList, index: number): void {
      const text = autosave.state().value[list][index];
      if (text === undefined) return;
      const back = backTo(list, (all) => all.toSpliced(Math.min(index, all.length), 0, text));
      edit(list, (all) => all.toSpliced(index, 1), undoToast(texts.removed, back));
    },
    setSeconds: (durata_frase_secondi: number) =>
      autosave.change((lists) => ({ ...lists, durata_frase_secondi }), successToast(texts.secondsSaved)),
    setExact: (list: PhraseList, on: boolean) =>
      autosave.change(
        (lists) => ({ ...lists, frasi_secondi_esatti: withSwitched(lists.frasi_secondi_esatti, list, on) }),
        successToast(texts.secondsSaved),
      ),
    /** Saves unsaved changes and reports the result. */
    save: () =>
      autosave.change(
        (lists) => lists,
        () => showSaved(sentences),
      ),
    flush: autosave.flush,
  };
}

/** Adds at the end, or replaces the blank one at `at`. */
function withAdded(all: readonly string[], added: readonly string[], at?: number): string[] {
  return at !== undefined && at in all && isBlank(all[at])
    ? all.toSpliced(at, 1, ...added)
    : [...all, ...added];
}

const timesIn = (all: readonly string[], text: string) => all.filter((other) => other === text).length;

function successToast(sentence: string): () => void {
  return () => toastSuccess(sentence);
}

/** Saves unsaved changes when the network returns, and when the page is hidden unless the last save failed. */
function useSavingLeftovers(autosave: Autosave): void {
  useEffect(() => {
    const unmounted = new AbortController();
    const leftover = () => {
      const { value, saved, waiting } = autosave.state();
      if (waiting.length > 0 || !sameValues(value, saved)) autosave.flush();
    };
    const saveIfHidden = () => {
      if (document.visibilityState === 'hidden' && autosave.state().error === null) leftover();
    };
    addEventListener('online', leftover, unmounted);
    document.addEventListener('visibilitychange', saveIfHidden, unmounted);
    return () => unmounted.abort();
  }, [autosave]);
}

function startAutosave(record: ConfigRecord, { lists, setsSeconds = false, sentences }: ListsPage) {
  const fieldsOf = (value: PhraseLists) => ({
    ...Object.fromEntries(lists.map((list) => [list, value[list]])),
    frasi_secondi_esatti: value.frasi_secondi_esatti,
    ...(setsSeconds && { durata_frase_secondi: value.durata_frase_secondi }),
  });
  return createAutosave<PhraseLists>(
    { value: listsOf(record), versione: record.versione },
    {
      read: async () => {
        const { versione, ...fields } = await configSource.read();
        return { value: listsOf(fields), versione };
      },
      save: (value, versione) => configSource.save({ versione, fields: fieldsOf(value) }),
      same: sameValues,
      merge: mergePhraseLists,
      onFailed: (error) => showSaveFailed(sentenceFor(error, sentences.saveFailed), sentences),
    },
  );
}

function listsOf(config: PhraseLists): PhraseLists {
  const { durata_frase_secondi, frasi_secondi_esatti } = config;
  const [pre, post, between, second, final] = PHRASE_LISTS;
  return {
    [pre]: config[pre],
    [post]: config[post],
    [between]: config[between],
    [second]: config[second],
    [final]: config[final],
    durata_frase_secondi,
    frasi_secondi_esatti,
  };
}
