import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { commonTexts } from '../../../texts/admin/forms.ts';
import { signInTexts } from '../../../texts/admin/sign-in.ts';
import { queries } from '../api.ts';
import { signIn } from '../api-sign-in.ts';
import { EmailField } from '../components/email-field.tsx';
import { messageOf } from '../failure.ts';
import { isSignInPending, onSignInChange, settleSignIn } from '../signed-out.ts';

/** Above other dialogs: the one whose request was refused stays open below. */
const Z_INDEX = 500;

/** «Sessione scaduta»: signs in again over the page, and then the refused calls continue. */
export function SignInAgain() {
  const isPending = useSyncExternalStore(onSignInChange, isSignInPending);
  return (
    <Modal
      opened={isPending}
      onClose={() => settleSignIn(false)}
      title={commonTexts.signInAgain.title}
      withCloseButton={false}
      closeOnClickOutside={false}
      zIndex={Z_INDEX}
    >
      <SignInAgainForm />
    </Modal>
  );
}

function SignInAgainForm() {
  const knownEmail = useQueryClient().getQueryData(queries.me.queryKey())?.email;
  const [problem, setProblem] = useState<string>();
  const [working, setWorking] = useState(false);

  async function submitted(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setWorking(true);
    const reply = await signIn({ email: text(fields, 'email'), password: text(fields, 'password') });
    setWorking(false);
    if (reply.ok) settleSignIn(true);
    else setProblem(messageOf(reply.failure, signInTexts.signInFailed));
  }
  return (
    <form method="dialog" onSubmit={(event) => void submitted(event)} noValidate>
      <Stack>
        <Text>{commonTexts.signInAgain.hint}</Text>
        <EmailField defaultValue={knownEmail ?? ''} readOnly={knownEmail !== undefined} />
        <PasswordInput
          label={signInTexts.password}
          name="password"
          size="md"
          autoComplete="current-password"
          data-autofocus
        />
        {problem !== undefined && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => settleSignIn(false)}>
            {commonTexts.cancel}
          </Button>
          <Button type="submit" loading={working}>
            {signInTexts.signIn.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function text(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
