import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import type { RecordFormOptions } from './form-options.ts';
import { mergeValues, type Values } from './merge-values.ts';
import { sameValues } from './same-value.ts';
import type { Versioned } from './save-merging.ts';
import type { Draft } from './use-draft.ts';

/**
 * The edited values and the record they started from (`base`). With unsaved values, `base` stays unchanged if the same fields
 * changed elsewhere, so that the server detects the conflict by its version.
 */
export function useEditedValues<R extends Versioned, V extends Values>(
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
