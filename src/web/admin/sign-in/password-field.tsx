import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { PASSWORD_LENGTH } from '../../../domain/limits.ts';
import { signInTexts } from '../../../texts/admin/sign-in.ts';

type PasswordFieldProps = {
  isNew: boolean;
  /** Why it was refused, or that it is missing. */
  wrong: string | false;
};

/** The password; a new one is told its rule before it breaks it. */
export function PasswordField({ isNew, wrong }: PasswordFieldProps) {
  const [length, setLength] = useState(0);
  return (
    <PasswordInput
      label={signInTexts.password}
      description={isNew ? signInTexts.passwordRule(PASSWORD_LENGTH.min, length) : undefined}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      descriptionProps={{ 'aria-live': 'polite' }}
      name="password"
      size="md"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      onChange={(event) => setLength([...event.currentTarget.value.trim()].length)}
      required
      withAsterisk={false}
      error={wrong}
    />
  );
}
