import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { signInTexts } from '../../../texts/admin/sign-in.ts';

type Props = {
  /** Why it was refused. */
  wrong: string | false;
} & Pick<PasswordInputProps, 'value' | 'onChange'>;

/** The code of the installation, for who is the first to come. */
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
