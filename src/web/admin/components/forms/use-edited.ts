import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import type { RecordFormOptions } from './form-options.ts';
import { mergeValues, type Values } from './merge-values.ts';
import { sameValues } from './same-value.ts';
import type { Versioned } from './save-merging.ts';
import type { Draft } from './use-draft.ts';

/**
 * The values being edited and the record they began with (`base`). While there is something unsaved it stays what it was where somebody
 * else has changed the same fields: its version is what tells the server so.
 */
export function useEditedValues<R extends Versioned, V extends Values>(
  { toValues, toFields }: Pick<RecordFormOptions<R, V>, 'toValues' | 'toFields'>,
  latest: R,
  saving: boolean,
) {
  const [base, setBase] = useState(latest);
  const form = useForm<V>({ mode: 'controlled', initialValues: toValues(latest) });
  const before = toValues(base);
  /** What is written, as it would be stored: without the spaces around it. */
  const stored = toValues({ ...base, ...toFields(form.values) });
  const dirty = !sameValues(stored, before);
  const newer = latest.versione > base.versione;
  // What others saved, another form of this page among them, touches nothing that is written here.
  const besides = sameValues(toValues(latest), before);
  useEffect(() => {
    if (!newer || saving || (dirty && !besides)) return;
    setBase(latest);
    form.setValues(mergeValues(before, form.getValues(), toValues(latest)).merged);
    // oxlint-disable-next-line react/exhaustive-deps -- a new function isn't a new record
  }, [newer, dirty, besides, saving, latest]);
  /** Goes on from what an earlier page left behind. */
  function takeUp(draft: Draft<V>): void {
    // A version this record has never had is of one that is gone.
    const versione = Math.min(draft.versione, latest.versione);
    setBase({ ...latest, ...toFields(draft.before), versione });
    // What was typed since stays where the draft says nothing.
    form.setValues(mergeValues(draft.before, draft.values, form.getValues()).merged);
  }
  return { base, setBase, form, before, stored, dirty, takeUp };
}
