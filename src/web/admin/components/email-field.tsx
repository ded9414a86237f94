import { TextInput, type TextInputProps } from '@mantine/core';
import { signInTexts } from '../../../texts/admin/sign-in.ts';

/** The administrator's address, as who signs in types it. */
export function EmailField(
  input: Pick<TextInputProps, 'defaultValue' | 'error' | 'readOnly' | 'required' | 'withAsterisk'>,
) {
  return (
    <TextInput
      label={signInTexts.email}
      name="email"
      type="email"
      size="md"
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      {...input}
    />
  );
}
