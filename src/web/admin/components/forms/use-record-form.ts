import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { keysOf } from '../../../../domain/records.ts';
import { binTexts } from '../../../../texts/admin/bin.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { isRefusal } from '../../failure.ts';
import type { SaveStateName } from '../save-state.tsx';
import { restoreAction } from '../take-back.ts';
import type { Problem, RecordFormOptions } from './form-options.ts';
import { mergeValues, sameValue, sameValues, type Values } from './merge.ts';
import { type SaveResult, saveWithMerge, type Versioned } from './save-merging.ts';
import { type Draft, useDraft } from './use-draft.ts';
import { sentenceFor, showSaved, showSaveFailed } from './use-record.ts';

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

  const due = dirty && savable && !saving;
  // After a failure, only a change, the network's return or «Riprova» saves again.
  const hasFailed = stored.failed !== null && sameValues(stored.failed, values);
  const [isInField, setIsInField] = useState(false);
  const left = useSelfSaving({
    due,
    hasFailed,
    delayMs: options.savedWhenLeft === true && isInField ? null : DEBOUNCE_MS,
    values,
    save: () => saveNow(false),
  });
  const savesOnEnter = blank || options.withoutButton === true;
  const inputs = useInputs(form, { problem, blank, savesOnEnter, save, left, setIsInField });

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
    saveState: stateOf({ conflict: conflict !== undefined, saving, pending: due && !hasFailed, dirty }),
    input: inputs.of,
    focus: inputs.focus,
    save,
    /** Saves without a success message; null if the values can't be saved. */
    saveQuietly: savable ? () => saveNow(false) : null,
    choose: (field: Field<V>, whose: 'mine' | 'theirs') => stored.choose(form.getValues(), field, whose),
    draft: stored.draft,
  };
}

/** Edited values and their saving: versions, merges, conflicts and drafts. */
function useStored<R extends Versioned, V extends Values>(options: RecordFormOptions<R, V>, latest: R) {
  const requests = useSaving(options, saved);
  const { saving, send } = requests;
  const edited = useEditedValues(options, latest, saving);
  const { base, setBase, form, before, stored, takeUp } = edited;
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
  return { ...edited, ...requests, problem, blank, savable, conflict, choose, saveNow, draft };
}

type Inputs<V> = {
  problem: Problem<V> | null;
  blank: boolean;
  /** The browser submits no form without an enabled button: Enter saves, or shows why it can't. */
  savesOnEnter: boolean;
  save: () => void;
  /** Called when a field is left. */
  left: () => void;
  setIsInField: (isInField: boolean) => void;
};

/** Properties of the inputs. A field is invalid only after it was emptied or after «Salva», never before a key. */
function useInputs<V extends Values>(
  form: UseFormReturnType<V>,
  { problem, blank, savesOnEnter, save, left, setIsInField }: Inputs<V>,
) {
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [written, setWritten] = useState<readonly Field<V>[]>([]);
  const focus = (field: Field<V>) => form.getInputNode<HTMLElement, string>(field)?.focus();
  return {
    focus,
    /** Returns the properties of a field's input. */
    of: (field: Field<V>) => {
      const { onChange, onFocus, onBlur, ...input } = form.getInputProps<string>(field);
      const showsError = isSubmitted || (blank && written.includes(field));
      return {
        ...input,
        onChange: (change: unknown) => {
          if (!written.includes(field)) setWritten([...written, field]);
          onChange(change);
        },
        onFocus: (event: FocusEvent) => {
          onFocus?.(event);
          setIsInField(true);
        },
        onBlur: (event: FocusEvent) => {
          onBlur?.(event);
          setIsInField(false);
          left();
        },
        error: showsError && problem?.fields.includes(field) ? problem.sentence : undefined,
        onKeyDown: (event: KeyboardEvent) => {
          if (savesOnEnter && event.key === 'Enter' && event.target instanceof HTMLInputElement) save();
        },
      };
    },
    /** Shows why the values can't be saved, if so. @returns true if they can */
    show(): boolean {
      setIsSubmitted(problem !== null);
      if (problem === null) return true;
      toastError(problem.sentence);
      const [first] = problem.fields;
      if (first !== undefined) focus(first);
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

type Saving = Record<'conflict' | 'saving' | 'pending' | 'dirty', boolean>;

/** `unsaved`: a change that is not going to be saved by itself. */
function stateOf({ conflict, saving, pending, dirty }: Saving): SaveStateName {
  if (conflict) return 'conflict';
  if (saving) return 'saving';
  if (pending) return 'pending';
  return dirty ? 'unsaved' : 'saved';
}

/** The record saved elsewhere, and the fields changed on both sides that are still to choose. */
type Conflict<R, V> = { record: R; fields: Field<V>[] };

/**
 * Handles the choices between two texts that a conflict requires.
 * @param set puts values into the form
 * @param onChosen called after the last choice, with the stored record and the values still to save (null: none)
 */
function useConflicts<R extends Versioned, V extends Values>(
  toValues: (record: R) => V,
  set: (values: V) => void,
  onChosen: (record: R, unsaved: V | null) => void,
) {
  const [conflict, ask] = useState<Conflict<R, V>>();
  function choose(mine: V, field: Field<V>, whose: 'mine' | 'theirs'): void {
    if (conflict === undefined) return;
    const theirs = toValues(conflict.record);
    const next = whose === 'mine' ? mine : { ...mine, [field]: theirs[field] };
    set(next);
    const fields = conflict.fields.filter((other) => other !== field);
    ask(fields.length > 0 ? { ...conflict, fields } : undefined);
    if (fields.length === 0) onChosen(conflict.record, sameValues(next, theirs) ? null : next);
  }
  const open = conflict && { fields: conflict.fields, theirs: toValues(conflict.record) };
  return { conflict: open, ask, choose };
}

/**
 * The edited values and the record they started from (`base`). With unsaved values, `base` stays unchanged if the same fields
 * changed elsewhere, so that the server detects the conflict by its version.
 */
function useEditedValues<R extends Versioned, V extends Values>(
  { toValues, toFields }: Pick<RecordFormOptions<R, V>, 'toValues' | 'toFields'>,
  latest: R,
  saving: boolean,
) {
  const [base, setBase] = useState(latest);
  const form = useForm<V>({ mode: 'controlled', initialValues: toValues(latest) });
  const before = toValues(base);
  /** The typed values as they would be stored, trimmed. */
  const stored = toValues({ ...base, ...toFields(form.values) });
  const dirty = !sameValues(stored, before);
  const newer = latest.versione > base.versione;
  // True if a save elsewhere, for example by another form of this page, changed none of these fields.
  const isUnrelated = sameValues(toValues(latest), before);
  useEffect(() => {
    if (!newer || saving || (dirty && !isUnrelated)) return;
    setBase(latest);
    form.setValues(mergeValues(before, form.getValues(), toValues(latest)).merged);
    // oxlint-disable-next-line react/exhaustive-deps -- a new function isn't a new record
  }, [newer, dirty, isUnrelated, saving, latest]);
  /** Continues from the draft of an earlier page load. */
  function takeUp(draft: Draft<V>): void {
    // A version above the record's belongs to a deleted record.
    const versione = Math.min(draft.versione, latest.versione);
    setBase({ ...latest, ...toFields(draft.before), versione });
    // Text typed since then stays in the fields that the draft did not change.
    form.setValues(mergeValues(draft.before, draft.values, form.getValues()).merged);
  }
  return { base, setBase, form, before, stored, dirty, takeUp };
}

/** One save: typed `values`, `mine` as stored, the base record, and whether the administrator requested it. */
type SaveRequest<R, V> = { base: R; values: V; mine: V; byHand: boolean };

/**
 * Saves the form's values. A requested save reports its result; an automatic one only reports each different failure once.
 * `onDone` receives the result and the request.
 */
function useSaving<R extends Versioned, V extends Values>(
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
