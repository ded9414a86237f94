import { Text } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import { keysOf } from '../../../../domain/records.ts';
import { suggestionTexts as texts } from '../../../../texts/admin/phrases.ts';
import { IconBulb } from '../../../ui/icons/icons.tsx';
import { dismissToast, toastSuccess } from '../../../ui/toaster/toast.ts';
import type { Versioned } from '../forms/save-merging.ts';
import type { RecordForm } from '../forms/use-record-form.ts';
import { showWithUndo } from '../undo.ts';
import styles from './suggestions.module.css';

type SuggestionsProps<T extends readonly string[]> = {
  /** The lines of each suggestion. */
  ideas: readonly T[];
  /** Opens the list initially, if nothing is typed. */
  open: boolean;
  disabled?: boolean;
  onTake: (idea: T) => void;
};

/** Text suggestions side by side; a tap inserts one as if it had been typed. */
export function Suggestions<T extends readonly string[]>({
  ideas,
  open,
  disabled,
  onTake,
}: SuggestionsProps<T>) {
  // Read once, so that a tap on a suggestion does not close the list.
  const [opens] = useState(open);
  return (
    <details className={styles.ideas} open={opens}>
      <summary>
        <IconBulb size={18} aria-hidden /> {texts.title}
      </summary>
      <Text size="sm" c="dimmed">
        {texts.hint}
      </Text>
      <ul className={styles.row}>
        {ideas.map((idea) => (
          <li key={idea.join()}>
            <button type="button" className={styles.idea} disabled={disabled} onClick={() => onTake(idea)}>
              {idea.map((line) => (
                <span key={line}>{line}</span>
              ))}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

type FormSuggestionsProps<R extends Versioned, V extends Record<string, string>> = {
  form: RecordForm<R, V>;
  /** Fields for the lines of an idea, in order. */
  fields: readonly (keyof V & string)[];
  ideas: readonly (readonly string[])[];
  onApplied?: () => void;
};

/** Text suggestions for a form's fields. «Annulla» in the toast restores the earlier text while the page is open. */
export function FormSuggestions<R extends Versioned, V extends Record<string, string>>({
  form,
  fields,
  ideas,
  onApplied,
}: FormSuggestionsProps<R, V>) {
  const toastId = useId();
  // Without the form there is nothing to undo.
  useEffect(() => () => dismissToast(toastId), [toastId]);
  function put(values: Partial<V>): void {
    for (const field of keysOf(values)) form.input(field).onChange(values[field]);
  }
  function apply(lines: readonly string[]): void {
    const before = form.valuesNow();
    const idea: Partial<V> = Object.assign(
      {},
      ...fields.map((field, line) => ({ [field]: lines[line] ?? '' })),
    );
    put(idea);
    onApplied?.();
    const [first] = fields;
    if (first !== undefined) form.focus(first);
    showWithUndo(texts.inserted, () => undo(idea, before), toastId);
  }
  /** Restores the earlier text of each field that still has the suggested one; edited fields stay. */
  function undo(idea: Partial<V>, before: V): void {
    const now = form.valuesNow();
    const same = keysOf(idea).filter((field) => now[field] === idea[field]);
    const back: Partial<V> = {};
    for (const field of same) back[field] = before[field];
    put(back);
    if (same.length < keysOf(idea).length) toastSuccess(texts.changed);
  }
  const open = fields.every((field) => isBlank(form.values[field]));
  return <Suggestions ideas={ideas} open={open} onTake={apply} />;
}
