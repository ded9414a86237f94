import { TextInput, type TextInputProps } from '@mantine/core';
import { signInTexts } from '../../../texts/admin/sign-in.ts';

/** The administrator's e-mail address, with the settings of a sign-in form. */
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
