import { PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { accountTexts as texts } from '../../../../texts/admin/account.ts';
import { signInTexts } from '../../../../texts/admin/sign-in.ts';
import type { ApiError } from '../../../api/failure.ts';
import type { RequestResult } from '../../../api/request.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { BusyButton } from '../../components/working-button.tsx';
import { useSignedIn } from '../../use-signed-in.ts';

type AccountFormProps = {
  submit: string;
  done: string;
  /** Renders the field to change. `wrong`: its error, if any. */
  renderField?: (wrong: string | undefined) => ReactNode;
  /** `next`: value of the field of that name. Both values are trimmed, as at the sign-in (spec 5). */
  send: (password: string, next: string) => Promise<RequestResult<unknown>>;
  onDone: () => void;
};

type AccountFieldError = { field: 'password' | 'next'; sentence: string };

/** A form that changes account data and requires the present password. */
export function AccountForm({ submit, done, renderField, send, onDone }: AccountFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [working, setWorking] = useState(false);
  const [wrong, setWrong] = useState<AccountFieldError>();
  const { data } = useSignedIn();

  function refuse(problem: AccountFieldError): void {
    setWrong(problem);
    toastError(problem.sentence);
    const field = form.current?.elements.namedItem(problem.field);
    if (field instanceof HTMLInputElement) field.focus();
  }

  async function submitted(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const [password, next] = [written(event.currentTarget, 'password'), written(event.currentTarget, 'next')];
    if (password === '') return refuse({ field: 'password', sentence: texts.missingPassword });
    setWorking(true);
    const reply = await send(password, next);
    setWorking(false);
    if (!reply.ok) return refuse(wrongOf(reply.failure));
    form.current?.reset();
    toastSuccess(done);
    onDone();
  }
  return (
    <form
      ref={form}
      method="dialog"
      noValidate
      onInput={() => setWrong(undefined)}
      onSubmit={(event) => void submitted(event)}
    >
      {/* Identifies the account for password managers. */}
      <input type="text" autoComplete="username" value={data?.email ?? ''} readOnly hidden />
      <Stack maw="26rem">
        {renderField?.(wrong?.field === 'next' ? wrong.sentence : undefined)}
        <PasswordInput
          label={texts.current}
          name="password"
          size="md"
          autoComplete="current-password"
          error={wrong?.field === 'password' && wrong.sentence}
        />
        <div>
          <BusyButton type="submit" variant="default" working={working}>
            {submit}
          </BusyButton>
        </div>
      </Stack>
    </form>
  );
}

/** Returns the field and sentence for an error. An error about no field is shown at the password, where the administrator retries. */
function wrongOf(failure: ApiError): AccountFieldError {
  if (failure.codice === 'UNREADABLE') return { field: 'password', sentence: texts.failed };
  if (failure.codice === 'BAD_CREDENTIALS') return { field: 'password', sentence: texts.wrongPassword };
  if (failure.codice === 'BAD_INPUT') return { field: 'next', sentence: signInTexts.notAnEmail };
  const ofNext = ['WEAK_PASSWORD', 'LONG_PASSWORD', 'COMMON_PASSWORD', 'EMAIL_TAKEN'];
  return { field: ofNext.includes(failure.codice) ? 'next' : 'password', sentence: failure.messaggio };
}

function written(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
}
