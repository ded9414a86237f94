import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Navigate } from 'react-router';
import { adminDoorTexts } from '../../../texts/admin/door.ts';
import type { Failure } from '../../api/request.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { toastError, toastSuccess } from '../../ui/toaster/toast.ts';
import { queries } from '../api.ts';
import { type Credentials, signIn, signUp } from '../api-sign-in.ts';
import { useSignedIn } from '../shell/use-signed-in.ts';
import styles from './page.module.css';
import { useDoor } from './use-door.ts';

type Mode = 'signIn' | 'signUp';

/** Sign-in and first-time registration of the administrator (spec 2). */
export function DoorPage() {
  const door = useDoor();
  const { data: signedIn } = useSignedIn();
  const [mode, setMode] = useState<Mode>('signIn');
  const texts = adminDoorTexts[mode];
  if (signedIn !== undefined) return <Navigate to="/admin/dashboard" replace />;
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <h1 className={styles.title}>{texts.title}</h1>
        <DoorForm mode={mode} setupCode={mode === 'signUp' && (door?.setup_code_required ?? false)} />
        {(door?.registration_open || mode === 'signUp') && (
          <button
            type="button"
            className={styles.toggle}
            onClick={() => setMode(mode === 'signIn' ? 'signUp' : 'signIn')}
          >
            {texts.toggle}
          </button>
        )}
      </div>
    </main>
  );
}

function DoorForm({ mode, setupCode }: { mode: Mode; setupCode: boolean }) {
  const queryClient = useQueryClient();
  const [working, setWorking] = useState(false);
  const texts = adminDoorTexts[mode];

  async function submitted(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const credentials = read(event.currentTarget);
    if (working) return;
    if (credentials.email === '' || credentials.password === '') return toastError(adminDoorTexts.missing);
    setWorking(true);
    const reply = await (mode === 'signIn' ? signIn(credentials) : signUp(credentials));
    setWorking(false);
    if (!reply.ok) return tell(mode, reply);
    toastSuccess(mode === 'signIn' ? adminDoorTexts.signedIn : adminDoorTexts.signedUp);
    // The page sees who it is and leads on.
    queryClient.setQueryData(queries.me.queryKey(), { email: reply.value.email });
  }
  return (
    <form method="dialog" className={styles.form} onSubmit={(event) => void submitted(event)} noValidate>
      <Field
        label={adminDoorTexts.email}
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        required
      />
      <Field
        label={adminDoorTexts.password}
        name="password"
        type="password"
        autoComplete={mode === 'signIn' ? 'current-password' : 'new-password'}
        required
      />
      {setupCode && <Field label={adminDoorTexts.setupCode} name="setup_code" autoComplete="off" />}
      <Button type="submit" wide aria-disabled={working}>
        {working ? texts.submitting : texts.submit}
      </Button>
    </form>
  );
}

/** Both are trimmed (spec 5). */
function read(form: HTMLFormElement): Credentials {
  const fields = new FormData(form);
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const setup_code = text('setup_code');
  return { email: text('email'), password: text('password'), ...(setup_code !== '' && { setup_code }) };
}

function tell(mode: Mode, failure: Failure): void {
  const fallback = mode === 'signIn' ? adminDoorTexts.signInFailed : adminDoorTexts.signUpFailed;
  toastError(failure.kind === 'unreadable' ? fallback : failure.messaggio);
  console.warn(failure);
}
