import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconHeart } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Navigate } from 'react-router';
import { archiveTexts } from '../../../texts/admin/archive.ts';
import { signInTexts } from '../../../texts/admin/sign-in.ts';
import { queries } from '../api.ts';
import { useSignedIn } from '../use-signed-in.ts';
import styles from './page.module.css';
import { SignInForm, type SignInMode } from './sign-in-form.tsx';

/** Wanted once in the life of an install. */
const RestoreForm = lazy(async () => ({ default: (await import('./restore-form.tsx')).RestoreForm }));

/** Sign-in and first-time registration of the administrator (spec 2); it opens on the latter while nobody has. Who is signed in is led on. */
export function SignInPage() {
  const { data: signedIn } = useSignedIn();
  const registration = useQuery(queries.registration.queryOptions({ staleTime: 0 }));
  const [chosen, setChosen] = useState<SignInMode>();
  const open = registration.data?.registration_open === true;
  const mode = open ? (chosen ?? (registration.data?.first === true ? 'signUp' : 'signIn')) : 'signIn';
  const [wantsRestore, setWantsRestore] = useState(false);
  const restores = wantsRestore && registration.data?.restorable === true;
  const { title, hint } = restores ? archiveTexts.restore : signInTexts[mode];
  const needsCode = registration.data?.setup_code_required === true;
  useDocumentTitle(title);
  if (signedIn !== undefined) return <Navigate to="/admin/dashboard" replace />;
  return (
    <main className={styles.page}>
      <Paper
        withBorder
        radius="lg"
        className={styles.card}
        // Whether one can register decides how tall it is: it doesn't grow under somebody's eyes.
        data-known={!registration.isPending || registration.failureCount > 0}
      >
        <Stack gap="lg">
          <Stack gap="xs" align="center">
            <IconHeart size={30} stroke={1.4} className={styles.heart} aria-hidden />
            <Title order={1} size="h2" ta="center">
              {title}
            </Title>
            <Text c="dimmed" ta="center" size="sm">
              {hint}
            </Text>
          </Stack>
          {restores ? (
            <Suspense>
              <RestoreForm setupCode={needsCode} onRestored={() => setWantsRestore(false)} />
            </Suspense>
          ) : (
            <SignInForm
              mode={mode}
              setupCode={mode === 'signUp' && needsCode}
              onClosed={() => void registration.refetch()}
            />
          )}
          {registration.data?.restorable === true && (
            <Toggle onClick={() => setWantsRestore(!wantsRestore)}>
              {restores ? archiveTexts.restore.close : archiveTexts.restore.open}
            </Toggle>
          )}
          {open && !restores && (
            <Toggle onClick={() => setChosen(mode === 'signIn' ? 'signUp' : 'signIn')}>
              {signInTexts[mode].toggle}
            </Toggle>
          )}
        </Stack>
      </Paper>
    </main>
  );
}

/** To the other thing that can be done here. */
function Toggle({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Anchor component="button" type="button" className={styles.toggle} onClick={onClick}>
      {children}
    </Anchor>
  );
}
