import { PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PASSWORD_LENGTH } from '../../../../domain/limits.ts';
import { accountTexts as texts } from '../../../../texts/admin/account.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { signInTexts } from '../../../../texts/admin/sign-in.ts';
import { queries } from '../../api.ts';
import { changeEmail, changePassword } from '../../api-sign-in.ts';
import { Card } from '../../components/card.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { useSignedIn } from '../../use-signed-in.ts';
import { AccountForm } from './account-form.tsx';
import { DEVICES_KEY, Devices } from './devices.tsx';

/** `/admin/accesso`: the administrator's password, e-mail and devices. */
export function Page() {
  return (
    <PageFrame {...adminPageTexts['/admin/accesso']}>
      <Stack gap="lg">
        <Password />
        <Email />
        <Devices />
      </Stack>
    </PageFrame>
  );
}

function Password() {
  const queryClient = useQueryClient();
  const [length, setLength] = useState(0);
  return (
    <Card title={texts.password.title} hint={texts.password.hint}>
      <AccountForm
        submit={texts.password.submit}
        done={texts.password.changed}
        send={changePassword}
        onDone={() => {
          setLength(0);
          void queryClient.invalidateQueries({ queryKey: DEVICES_KEY });
        }}
        renderField={(wrong) => (
          <PasswordInput
            label={texts.password.next}
            description={signInTexts.passwordRule(PASSWORD_LENGTH.min, length)}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            name="next"
            size="md"
            autoComplete="new-password"
            onChange={(event) => setLength([...event.currentTarget.value.trim()].length)}
            error={wrong}
          />
        )}
      />
    </Card>
  );
}

function Email() {
  const queryClient = useQueryClient();
  const { data } = useSignedIn();
  return (
    <Card title={texts.email.title} hint={texts.email.hint(data?.email ?? '')}>
      <AccountForm
        submit={texts.email.submit}
        done={texts.email.changed}
        send={changeEmail}
        onDone={() => void queryClient.invalidateQueries({ queryKey: queries.me.queryKey() })}
        renderField={(wrong) => (
          <TextInput
            label={texts.email.next}
            name="next"
            type="email"
            size="md"
            autoComplete="off"
            autoCapitalize="none"
            error={wrong}
          />
        )}
      />
    </Card>
  );
}
