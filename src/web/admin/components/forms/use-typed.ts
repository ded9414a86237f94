import { useDebouncedValue } from '@mantine/hooks';
import { PREVIEW_DELAY_MS } from '../phone-frame/with-preview.tsx';
import type { Values } from './merge.ts';
import type { Versioned } from './save-merging.ts';
import type { RecordForm } from './use-record-form.ts';

/** Returns the fields a form would store, debounced for a preview. */
export function useDebouncedValues<R extends Versioned, V extends Values>(
  form: RecordForm<R, V>,
): Partial<R> {
  const [values] = useDebouncedValue(form.values, PREVIEW_DELAY_MS);
  return form.options.toFields(values);
}
