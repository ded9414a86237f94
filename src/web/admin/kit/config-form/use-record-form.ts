import { type KeyboardEvent, useState } from 'react';
import { toastError } from '../../../ui/toaster/toast.ts';
import type { SaveStateName } from '../../shell/save-state.tsx';
import type { RecordFormOptions } from './form-options.ts';
import { mergeValues, type Values } from './merge-values.ts';
import type { Saved, Versioned } from './save-merging.ts';
import { useChoices } from './use-choices.ts';
import { useDraft } from './use-draft.ts';
import { useEdited } from './use-edited.ts';
import { useSaving } from './use-saving.ts';

type Field<V> = keyof V & string;

export type RecordForm<R extends Versioned, V extends Values> = ReturnType<typeof useRecordForm<R, V>>;

/**
 * A form for some fields of a record: keeps what is typed through reloads, failures and lost sessions, saves it with its version,
 * and asks where somebody else changed the same.
 * @param latest the record as it was last read
 */
export function useRecordForm<R extends Versioned, V extends Values>(
  options: RecordFormOptions<R, V>,
  latest: R,
) {
  const { saving, failure, send } = useSaving(options, saved);
  const { base, setBase, form, before, dirty } = useEdited(options, latest, saving);
  const { values } = form;
  const { offer, forget } = useDraft(options.name, { values, before, versione: base.versione });
  const { conflict, ask, choose } = useChoices(options.toValues, form.setValues, (record, unsaved) => {
    setBase(record);
    if (unsaved !== null) send(record, unsaved);
  });
  const [tried, setTried] = useState(false);
  const problem = options.validate?.(values) ?? null;
  const blank = options.blocked?.(values) ?? false;

  function saved(outcome: Saved<R, V>, sent: V): void {
    const stored = outcome.kind === 'saved' ? options.toValues(outcome.record) : outcome.values;
    // What was typed meanwhile stays.
    form.setValues(mergeValues(sent, form.getValues(), stored).merged);
    if (outcome.kind === 'conflict') return ask(outcome);
    setBase(outcome.record);
    forget();
  }

  function save(): void {
    if (saving) return;
    setTried(problem !== null);
    if (problem === null) return send(base, values);
    toastError(problem.sentence);
    const [first] = problem.fields;
    if (first !== undefined) form.getInputNode(first as never)?.focus();
  }

  function restore(): void {
    if (offer === null) return;
    setBase({ ...latest, ...options.toFields(offer.before), versione: offer.versione });
    // What was typed since stays where the draft says nothing.
    form.setValues(mergeValues(offer.before, offer.values, form.getValues()).merged);
    forget();
  }

  return {
    options,
    values,
    /** As it was last saved: what a preview needs besides the form's own fields. */
    record: base,
    dirty,
    blocked: blank || conflict !== undefined,
    saving,
    failure,
    conflict,
    saveState: stateOf(conflict !== undefined, saving, dirty),
    /** The properties of a field's input. */
    input: (field: Field<V>) => ({
      ...form.getInputProps(field as never),
      error: (tried || blank) && problem?.fields.includes(field) ? problem.sentence : undefined,
      // The browser sends no form whose button is off: who presses Enter learns why.
      onKeyDown: (event: KeyboardEvent) => {
        if (blank && event.key === 'Enter' && event.target instanceof HTMLInputElement) save();
      },
    }),
    /** Changes values, whatever they are by then. */
    change: (next: (values: V) => Partial<V>) =>
      form.setValues({ ...form.getValues(), ...next(form.getValues()) }),
    save,
    choose: (field: Field<V>, whose: 'mine' | 'theirs') => choose(form.getValues(), field, whose),
    draft: { offered: offer !== null, restore, discard: forget },
  };
}

function stateOf(conflict: boolean, saving: boolean, dirty: boolean): SaveStateName {
  if (conflict) return 'conflict';
  if (saving) return 'saving';
  return dirty ? 'unsaved' : 'saved';
}
