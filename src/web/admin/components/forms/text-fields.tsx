import { NumberInput, Text, Textarea, TextInput } from '@mantine/core';
import type { FocusEvent, ReactNode } from 'react';
import { formTexts } from '../../../../texts/admin/forms.ts';
import type { Values } from './merge.ts';
import type { Versioned } from './save-merging.ts';
import type { RecordForm } from './use-record-form.ts';

type TextFieldProps<R extends Versioned, V extends Values> = {
  form: RecordForm<R, V>;
  field: keyof V & string;
  max: number;
  description?: string;
  /** Shown to the visitor if the field is empty. */
  placeholder?: string;
  onFocus?: () => void;
};

export function LineField<R extends Versioned, V extends Values>(props: TextFieldProps<R, V>) {
  return <TextInput {...common(props)} />;
}

/** A text area of at least three lines that grows with its text (spec 2). */
export function LinesField<R extends Versioned, V extends Values>(props: TextFieldProps<R, V>) {
  return <Textarea {...common(props)} autosize minRows={3} maxRows={10} />;
}

function common<R extends Versioned, V extends Values>({
  form,
  field,
  max,
  onFocus,
  ...rest
}: TextFieldProps<R, V>) {
  const input = form.input(field);
  return {
    ...rest,
    ...input,
    size: 'md' as const,
    label: form.options.labels[field],
    maxLength: max,
    inputContainer: countBelow(String(form.values[field]), max),
    onFocus: (event: FocusEvent) => {
      input.onFocus(event);
      onFocus?.();
    },
  };
}

type NumberFieldProps<R extends Versioned, V extends Values> = Pick<
  TextFieldProps<R, V>,
  'form' | 'field' | 'description'
> & { min: number; max: number };

/** A whole number, stored as text while typing. Values out of range can be typed; saving refuses them with a sentence. */
export function NumberField<R extends Versioned, V extends Values>({
  form,
  field,
  ...rest
}: NumberFieldProps<R, V>) {
  const { onChange, ...input } = form.input(field);
  return (
    <NumberInput
      {...rest}
      {...input}
      onChange={(value) => onChange(String(value))}
      label={form.options.labels[field]}
      clampBehavior="none"
      allowDecimal={false}
      size="md"
      maw="18rem"
    />
  );
}

/** Share of the limit from which the count is shown. */
const NEAR = 0.8;

/** Characters used of the limit, shown when the limit is near. */
function Count({ text, max }: { text: string; max: number }) {
  if (text.length < max * NEAR) return null;
  return (
    <Text span size="xs" c={text.length >= max ? 'red' : 'dimmed'} ta="right" display="block">
      {formTexts.count(text.length, max)}
    </Text>
  );
}

/** Returns an `inputContainer` that shows the count below the input. */
export function countBelow(text: string, max: number): (input: ReactNode) => ReactNode {
  return (input) => (
    <>
      {input}
      <Count text={text} max={max} />
    </>
  );
}
