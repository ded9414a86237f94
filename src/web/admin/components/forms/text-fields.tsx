import { NumberInput, Textarea, TextInput } from '@mantine/core';
import { countBelow } from './count.tsx';
import type { Values } from './merge-values.ts';
import type { Versioned } from './save-merging.ts';
import type { RecordForm } from './use-record-form.ts';

type TextFieldProps<R extends Versioned, V extends Values> = {
  form: RecordForm<R, V>;
  field: keyof V & string;
  max: number;
  description?: string;
  /** What she sees where nothing is written. */
  placeholder?: string;
  onFocus?: () => void;
};

/** One line of text. */
export function LineField<R extends Versioned, V extends Values>(props: TextFieldProps<R, V>) {
  return <TextInput {...common(props)} />;
}

/** Several lines of text: three, and more as it grows (spec 2). */
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
    onFocus: (event: unknown) => {
      input.onFocus?.(event);
      onFocus?.();
    },
  };
}

type NumberFieldProps<R extends Versioned, V extends Values> = Pick<
  TextFieldProps<R, V>,
  'form' | 'field' | 'description'
> & { min: number; max: number };

/** A whole number, kept as text while it is written; one out of range can be written, and is refused in words when it is saved. */
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
