import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { signInTexts } from '../../../texts/admin/sign-in.ts';

type Props = {
  /** The error, or false. */
  wrong: string | false;
} & Pick<PasswordInputProps, 'value' | 'onChange'>;

/** The installation's setup code, required for the first registration. */
export function SetupCodeField({ wrong, ...input }: Props) {
  return (
    <PasswordInput
      label={signInTexts.setupCode}
      description={signInTexts.setupCodeHint}
      name="setup_code"
      size="md"
      autoComplete="off"
      error={wrong}
      {...input}
    />
  );
}
