import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Navigate } from 'react-router';
import { archiveTexts } from '../../../texts/admin/archive.ts';
import { signInTexts } from '../../../texts/admin/sign-in.ts';
import { IconHeart } from '../../ui/icons/icons.tsx';
import { queries } from '../api.ts';
import { useSignedIn } from '../use-signed-in.ts';
import styles from './page.module.css';
import { SignInForm, type SignInMode } from './sign-in-form.tsx';

/** Loaded lazily, because it is used once per installation. */
const RestoreForm = lazy(async () => ({ default: (await import('./restore-form.tsx')).RestoreForm }));

/**
 * Sign-in and first registration of the administrator (spec 2). Opens on the registration while there is no account. Redirects a
 * signed-in administrator.
 */
export function SignInPage() {
  const { data: signedIn } = useSignedIn();
  const registration = useQuery(queries.registration.queryOptions({ staleTime: 0 }));
  const [chosen, setChosen] = useState<SignInMode>();
  const open = registration.data?.registration_open === true;
  const mode = open ? (chosen ?? (registration.data?.first === true ? 'signUp' : 'signIn')) : 'signIn';
  const [isRestoring, setIsRestoring] = useState(false);
  const restores = isRestoring && registration.data?.restorable === true;
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
        // Shown once it is known whether registration is open, because that determines the height.
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
              <RestoreForm setupCode={needsCode} onRestored={() => setIsRestoring(false)} />
            </Suspense>
          ) : (
            <SignInForm
              mode={mode}
              setupCode={mode === 'signUp' && needsCode}
              onClosed={() => void registration.refetch()}
            />
          )}
          {registration.data?.restorable === true && (
            <Toggle onClick={() => setIsRestoring(!isRestoring)}>
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

/** Switches to the other form. */
function Toggle({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Anchor component="button" type="button" className={styles.toggle} onClick={onClick}>
      {children}
    </Anchor>
  );
}
