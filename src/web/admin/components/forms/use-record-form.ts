import type { UseFormReturnType } from '@mantine/form';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useState } from 'react';
import { keysOf } from '../../../../domain/records.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import type { SaveStateName } from '../save-state.tsx';
import type { Problem, RecordFormOptions } from './form-options.ts';
import { mergeValues, type Values } from './merge-values.ts';
import { sameValue, sameValues } from './same-value.ts';
import type { SaveResult, Versioned } from './save-merging.ts';
import { useConflicts } from './use-choices.ts';
import { useDraft } from './use-draft.ts';
import { useEditedValues } from './use-edited.ts';
import { type SaveRequest, useSaving } from './use-saving.ts';

type Field<V> = keyof V & string;

export type RecordForm<R extends Versioned, V extends Values> = ReturnType<typeof useRecordForm<R, V>>;

/** Between two keys somebody may still be writing, in milliseconds. */
const WRITING_MS = 1_000;

/**
 * A form for some fields of a record. What is typed saves itself, once nobody has typed for a moment and it can be saved; it is kept through
 * reloads, failures and lost sessions, saved with its version, and asked about where somebody else changed the same.
 * @param latest the record as it was last read
 */
export function useRecordForm<R extends Versioned, V extends Values>(
  options: RecordFormOptions<R, V>,
  latest: R,
) {
  const id = useId();
  const stored = useStored(options, latest);
  const { form, base, dirty, conflict, problem, blank, savable, saving, saveNow } = stored;
  const { values } = form;

  function save(): void {
    // It is on its way already, of itself.
    if (saving) return stored.promiseWord();
    if (inputs.show()) saveNow(true);
  }

  const left = useSelfSaving({
    due: dirty && savable && !saving,
    // What failed waits for another word, for the network or for «Riprova».
    inVain: stored.failed !== null && sameValues(stored.failed, values),
    after: options.savedWhenLeft === true ? null : WRITING_MS,
    values,
    save: () => saveNow(false),
  });
  const inputs = useInputs(form, { problem, blank, save, left });

  return {
    options,
    /** Of its `<form>`: a button may stand outside of it. */
    id,
    values,
    /** The same as they are at this moment: for what is called later than it was drawn. */
    valuesNow: form.getValues,
    /** As it was last saved: what a preview needs besides the form's own fields. */
    record: base,
    dirty,
    blocked: blank || conflict !== undefined,
    /** Why there is nothing to save yet, to be said quietly. */
    wanting: blank && problem !== null ? problem.sentence : null,
    saving,
    failure: stored.failure,
    conflict,
    saveState: stateOf(conflict !== undefined, saving, dirty),
    input: inputs.of,
    save,
    /** Saves what is unsaved, without a word, if it can be saved. */
    saveQuietly: savable ? () => saveNow(false) : null,
    choose: (field: Field<V>, whose: 'mine' | 'theirs') => stored.choose(form.getValues(), field, whose),
    draft: stored.draft,
  };
}

/** The values being edited and how they come to be stored: sent with their version, merged or chosen between, kept as a draft meanwhile. */
function useStored<R extends Versioned, V extends Values>(options: RecordFormOptions<R, V>, latest: R) {
  const { saving, failure, failed, send, promiseWord } = useSaving(options, saved);
  const { base, setBase, form, before, stored, dirty, takeUp } = useEditedValues(options, latest, saving);
  const { values } = form;
  const { offer, forget } = useDraft(options.name, { values, before, versione: base.versione });
  const { conflict, ask, choose } = useConflicts(options.toValues, form.setValues, (record, unsaved) => {
    setBase(record);
    if (unsaved !== null) send({ base: record, values: unsaved, mine: unsaved, byHand: true });
  });
  const problem = options.validate?.(values) ?? null;
  const blank = options.blocked?.(values) ?? false;
  const savable = problem === null && !blank && conflict === undefined;

  function saved(outcome: SaveResult<R, V>, { values: sent, mine, byHand }: SaveRequest<R, V>): void {
    const now = outcome.kind === 'saved' ? options.toValues(outcome.record) : outcome.values;
    // Nobody's spaces are taken away while they write, and what was typed meanwhile stays.
    const shown = byHand ? now : asWritten(now, mine, sent);
    form.setValues(mergeValues(sent, form.getValues(), shown).merged);
    if (outcome.kind === 'conflict') return ask(outcome);
    setBase(outcome.record);
    forget();
  }

  function saveNow(byHand: boolean): void {
    // A version below the one this began with: the record was gone, and begins anew.
    const versione = Math.min(base.versione, latest.versione);
    if (!saving && savable) send({ base: { ...base, versione }, values, mine: stored, byHand });
  }

  function restore(): void {
    if (offer !== null) takeUp(offer);
    forget();
  }

  const draft = { offered: offer !== null, restore, discard: forget };
  return {
    form,
    base,
    dirty,
    problem,
    blank,
    savable,
    saving,
    failure,
    failed,
    conflict,
    choose,
    saveNow,
    promiseWord,
    draft,
  };
}

type Inputs<V> = {
  problem: Problem<V> | null;
  blank: boolean;
  save: () => void;
  /** A field was left. */
  left: () => void;
};

/** The fields' inputs. One is in error when it was emptied here or somebody asked to save, never before a key. */
function useInputs<V extends Values>(form: UseFormReturnType<V>, { problem, blank, save, left }: Inputs<V>) {
  const [tried, setTried] = useState(false);
  const [written, setWritten] = useState<readonly Field<V>[]>([]);
  return {
    /** The properties of a field's input. */
    of: (field: Field<V>) => {
      const { onChange, onBlur, ...input } = form.getInputProps<string>(field);
      const tells = tried || (blank && written.includes(field));
      return {
        ...input,
        onChange: (change: unknown) => {
          if (!written.includes(field)) setWritten([...written, field]);
          onChange(change);
        },
        onBlur: (event: FocusEvent) => {
          onBlur?.(event);
          left();
        },
        error: tells && problem?.fields.includes(field) ? problem.sentence : undefined,
        // The browser sends no form whose button is off: who presses Enter learns why.
        onKeyDown: (event: KeyboardEvent) => {
          if (blank && event.key === 'Enter' && event.target instanceof HTMLInputElement) save();
        },
      };
    },
    /** Shows what keeps the values from being saved, if anything. @returns whether they can be */
    show(): boolean {
      setTried(problem !== null);
      if (problem === null) return true;
      toastError(problem.sentence);
      const [first] = problem.fields;
      if (first !== undefined) form.getInputNode<HTMLElement, string>(first)?.focus();
      return false;
    },
  };
}

type SelfSaving = {
  due: boolean;
  /** These very values couldn't be saved: only the network is waited for. */
  inVain: boolean;
  /** Milliseconds after the last key, or null: only for what follows. */
  after: number | null;
  values: unknown;
  save: () => void;
};

/**
 * Saves by itself: when nobody has typed for a moment, when the page is put aside, and when the network is back.
 * @returns what is to be called when a field is left: it saves, too
 */
function useSelfSaving({ due, inVain, after, values, save }: SelfSaving): () => void {
  useEffect(() => {
    if (!due) return;
    const over = new AbortController();
    const put = () => {
      if (document.visibilityState === 'hidden' && !inVain) save();
    };
    const timer = after === null || inVain ? undefined : setTimeout(save, after);
    addEventListener('online', save, over);
    document.addEventListener('visibilitychange', put, over);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- a new function is no new word
  }, [due, inVain, after, values]);
  return () => {
    if (due && !inVain) save();
  };
}

/** What is stored, as it was written where only spaces around it make the difference. */
function asWritten<V extends Values>(stored: V, mine: V, written: V): V {
  const shown = { ...stored };
  for (const field of keysOf(stored)) {
    if (sameValue(stored[field], mine[field])) shown[field] = written[field];
  }
  return shown;
}

function stateOf(conflict: boolean, saving: boolean, dirty: boolean): SaveStateName {
  if (conflict) return 'conflict';
  if (saving) return 'saving';
  return dirty ? 'unsaved' : 'saved';
}
