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

/** Pause in typing after which a form saves, in ms. */
const DEBOUNCE_MS = 1_000;

/**
 * A form for some fields of a record. Valid values save automatically after a pause in typing. They survive reloads, failures and
 * lost sessions. Concurrent changes are detected by the version; those of the same fields require a choice.
 * @param latest the record as last read
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
    // A save is already running.
    if (saving) return stored.promiseWord();
    if (inputs.show()) saveNow(true);
  }

  const left = useSelfSaving({
    due: dirty && savable && !saving,
    // After a failure, only a change, the network's return or «Riprova» saves again.
    hasFailed: stored.failed !== null && sameValues(stored.failed, values),
    delayMs: options.savedWhenLeft === true ? null : DEBOUNCE_MS,
    values,
    save: () => saveNow(false),
  });
  const inputs = useInputs(form, { problem, blank, save, left });

  return {
    options,
    /** The id of the `<form>`, for buttons outside of it. */
    id,
    values,
    /** Returns the present values, for callbacks that outlive a render. */
    valuesNow: form.getValues,
    /** The record as last saved, for fields a preview needs in addition to the form's. */
    record: base,
    dirty,
    blocked: blank || conflict !== undefined,
    /** Reason why there is nothing to save yet, shown as a hint. */
    blankHint: blank && problem !== null ? problem.sentence : null,
    saving,
    failure: stored.failure,
    conflict,
    saveState: stateOf(conflict !== undefined, saving, dirty),
    input: inputs.of,
    save,
    /** Saves without a success message; null if the values can't be saved. */
    saveQuietly: savable ? () => saveNow(false) : null,
    choose: (field: Field<V>, whose: 'mine' | 'theirs') => stored.choose(form.getValues(), field, whose),
    draft: stored.draft,
  };
}

/** Edited values and their saving: versions, merges, conflicts and drafts. */
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

  function saved(result: SaveResult<R, V>, { values: sent, mine, byHand }: SaveRequest<R, V>): void {
    const now = result.kind === 'saved' ? options.toValues(result.record) : result.values;
    // Automatic saving keeps typed spaces, and text typed during the save stays.
    const shown = byHand ? now : asWritten(now, mine, sent);
    form.setValues(mergeValues(sent, form.getValues(), shown).merged);
    if (result.kind === 'conflict') return ask(result);
    setBase(result.record);
    forget();
  }

  function saveNow(byHand: boolean): void {
    // A version below that of `base` means that the record was deleted and starts again.
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
  /** Called when a field is left. */
  left: () => void;
};

/** Properties of the inputs. A field is invalid only after it was emptied or after «Salva», never before a key. */
function useInputs<V extends Values>(form: UseFormReturnType<V>, { problem, blank, save, left }: Inputs<V>) {
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [written, setWritten] = useState<readonly Field<V>[]>([]);
  return {
    /** Returns the properties of a field's input. */
    of: (field: Field<V>) => {
      const { onChange, onBlur, ...input } = form.getInputProps<string>(field);
      const showsError = isSubmitted || (blank && written.includes(field));
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
        error: showsError && problem?.fields.includes(field) ? problem.sentence : undefined,
        // The browser submits no form with a disabled button: Enter shows the reason.
        onKeyDown: (event: KeyboardEvent) => {
          if (blank && event.key === 'Enter' && event.target instanceof HTMLInputElement) save();
        },
      };
    },
    /** Shows why the values can't be saved, if so. @returns true if they can */
    show(): boolean {
      setIsSubmitted(problem !== null);
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
  /** These exact values failed to save: wait for the network only. */
  hasFailed: boolean;
  /** Pause in ms after the last key; null disables saving while typing. */
  delayMs: number | null;
  values: unknown;
  save: () => void;
};

/**
 * Saves after a pause in typing, when the page is hidden, and when the network returns.
 * @returns a function that saves when a field is left
 */
function useSelfSaving({ due, hasFailed, delayMs, values, save }: SelfSaving): () => void {
  useEffect(() => {
    if (!due) return;
    const unmounted = new AbortController();
    const saveIfHidden = () => {
      if (document.visibilityState === 'hidden' && !hasFailed) save();
    };
    const timer = delayMs === null || hasFailed ? undefined : setTimeout(save, delayMs);
    addEventListener('online', save, unmounted);
    document.addEventListener('visibilitychange', saveIfHidden, unmounted);
    return () => {
      clearTimeout(timer);
      unmounted.abort();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- a new function is no new word
  }, [due, hasFailed, delayMs, values]);
  return () => {
    if (due && !hasFailed) save();
  };
}

/** Returns the stored values, with typed spaces where only the surrounding spaces differ. */
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
