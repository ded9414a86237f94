import { Button, PasswordInput, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { PASSWORD_LENGTH } from '../../../domain/limits.ts';
import { signInTexts } from '../../../texts/admin/sign-in.ts';
import type { ApiError } from '../../api/failure.ts';
import { toastError, toastSuccess } from '../../ui/toaster/toast.ts';
import { queries } from '../api.ts';
import { type Credentials, signIn, signUp } from '../api-sign-in.ts';
import { EmailField } from '../components/email-field.tsx';
import { messageOf } from '../failure.ts';
import { SetupCodeField } from './setup-code-field.tsx';

export type SignInMode = 'signIn' | 'signUp';
type FieldName = 'email' | 'password' | 'setup_code';

/** The refused field, its mode and the error. */
type SignInFieldError = { mode: SignInMode; field: FieldName; sentence: string };

type SignInFormProps = {
  mode: SignInMode;
  /** True if the installation requires its setup code. */
  setupCode: boolean;
  /** Called if another administrator has registered since. */
  onClosed: () => void;
};

/** Form for sign-in and registration. */
export function SignInForm({ mode, setupCode, onClosed }: SignInFormProps) {
  const texts = signInTexts[mode];
  const { working, wrong, form, submitted, written } = useSignInForm(mode, onClosed);
  const [setup, setSetup] = useState('');
  return (
    <form ref={form} method="dialog" onSubmit={(event) => void submitted(event)} onInput={written} noValidate>
      <Stack>
        <EmailField required withAsterisk={false} error={wrong('email')} />
        <PasswordField isNew={mode === 'signUp'} wrong={wrong('password')} />
        {setupCode && (
          <SetupCodeField
            value={setup}
            onChange={(event) => setSetup(event.currentTarget.value)}
            wrong={wrong('setup_code')}
          />
        )}
        <Button type="submit" size="md" fullWidth aria-disabled={working} mt="xs">
          {working ? texts.submitting : texts.submit}
        </Button>
      </Stack>
    </form>
  );
}

function useSignInForm(mode: SignInMode, onClosed: () => void) {
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [working, setWorking] = useState(false);
  const [wrong, setWrong] = useState<SignInFieldError>();

  /** Focuses the field and shows its error until the next input. */
  function pointTo(field: FieldName, sentence: string): void {
    setWrong({ mode, field, sentence });
    toastError(sentence);
    focus(form.current, field);
  }

  async function submitted(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (working) return;
    const credentials = read(event.currentTarget);
    const missing = (['email', 'password'] as const).find((name) => credentials[name] === '');
    if (missing !== undefined) return pointTo(missing, signInTexts.missing);
    setWorking(true);
    const reply = await (mode === 'signIn' ? signIn(credentials) : signUp(credentials));
    setWorking(false);
    if (!reply.ok) {
      if (reply.failure.codice === 'REGISTRATION_CLOSED') onClosed();
      const [field, sentence] = [fieldOf(reply.failure), sentenceOf(mode, reply.failure)];
      if (field !== null) return pointTo(field, sentence);
      toastError(sentence);
      return focus(form.current, 'password');
    }
    toastSuccess(mode === 'signIn' ? signInTexts.signedIn : signInTexts.signedUp);
    // The page then redirects.
    await queryClient.invalidateQueries({ queryKey: queries.me.queryKey() });
  }
  const of = (field: FieldName) => wrong?.mode === mode && wrong.field === field && wrong.sentence;
  return { working, wrong: of, form, submitted, written: () => setWrong(undefined) };
}

const ABOUT_THE_PASSWORD = ['BAD_CREDENTIALS', 'WEAK_PASSWORD', 'LONG_PASSWORD', 'COMMON_PASSWORD'];

/** Returns the field an error is about, or null. */
function fieldOf(failure: ApiError): FieldName | null {
  if (isNoEmail(failure)) return 'email';
  if (failure.codice === 'SETUP_CODE_WRONG') return 'setup_code';
  return ABOUT_THE_PASSWORD.includes(failure.codice) ? 'password' : null;
}

/** Trims all fields (spec 5). */
function read(form: HTMLFormElement): Credentials {
  const fields = new FormData(form);
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const setup_code = text('setup_code');
  return { email: text('email'), password: text('password'), ...(setup_code !== '' && { setup_code }) };
}

/** Focuses a field and selects its text for the next attempt. */
function focus(form: HTMLFormElement | null, name: FieldName): void {
  const field = form?.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
}

/** Only the e-mail address has a format that can be invalid. */
function isNoEmail(failure: ApiError): boolean {
  return failure.codice === 'BAD_INPUT';
}

function sentenceOf(mode: SignInMode, failure: ApiError): string {
  if (isNoEmail(failure)) return signInTexts.notAnEmail;
  const fallback = mode === 'signIn' ? signInTexts.signInFailed : signInTexts.signUpFailed;
  return messageOf(failure, fallback);
}

type PasswordFieldProps = {
  isNew: boolean;
  /** The error, or false. */
  wrong: string | false;
};

/** The password; for a new one its rule is shown in advance. */
function PasswordField({ isNew, wrong }: PasswordFieldProps) {
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
