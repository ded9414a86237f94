import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { CertificateState } from '../../../contract/admin/site-address.ts';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import { adminPageTexts } from '../../../texts/admin/pages.ts';
import { signInTexts } from '../../../texts/admin/sign-in.ts';
import { certificateTexts, troubleWords } from '../../../texts/certificate.ts';
import { IconLockExclamation, IconLogout } from '../../ui/icons/icons.tsx';
import { toastError, toastSuccess } from '../../ui/toaster/toast.ts';
import { queries } from '../api.ts';
import { signOut } from '../api-sign-in.ts';
import { confirmAction } from '../components/confirm-action.ts';
import { useNow } from '../components/live-table/use-now.ts';
import { Loaded } from '../components/loaded.tsx';
import { useUploads } from '../components/media/uploads/store.ts';
import { needsOpenPage } from '../components/media/uploads/upload.ts';
import { pauseUploads } from '../components/media/uploads/uploads.ts';
import { usePageAt } from '../page-table.ts';
import { duringSignOut } from '../signed-out.ts';
import { useSignedIn } from '../use-signed-in.ts';
import { Hero } from './hero.tsx';
import styles from './page.module.css';
import cards from './page-cards.module.css';

/** Start page: state of the evening, the next step, figures, and links to all pages (spec 2). */
export function Page() {
  useDocumentTitle(dashboardTexts.title);
  return (
    <Stack className={styles.page} gap="xl">
      <Greeting />
      <Hero />
      <Figures />
      <AllPages />
    </Stack>
  );
}

/** The signed-in administrator, and the sign-out button. */
function Greeting() {
  const { data } = useSignedIn();
  const signOutNow = useSignOut();
  return (
    <Group component="header" className={styles.greeting}>
      <Title order={1} size="h4">
        {dashboardTexts.title}
      </Title>
      <Text c="dimmed" size="sm" className={styles.email} title={data?.email}>
        {data?.email}
      </Text>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconLogout size={16} aria-hidden />}
        onClick={signOutNow}
      >
        {signInTexts.signOut}
      </Button>
    </Group>
  );
}

function useSignOut() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const uploading = useUploads().some(needsOpenPage);
  async function signOutNow() {
    const reply = await signOut();
    if (!reply.ok) return toastError(reply.failure.messaggio);
    pauseUploads();
    toastSuccess(signInTexts.signedOut);
    // Unmounts the layout's frame at once, so that nothing in it sends further requests.
    const reset = queryClient.resetQueries({ queryKey: queries.me.queryKey() });
    await navigate('/admin', { replace: true });
    await reset;
    // Clears all cached data before another administrator signs in.
    queryClient.removeQueries({ type: 'inactive' });
    queryClient.getMutationCache().clear();
  }
  const go = () => void duringSignOut(signOutNow);
  return uploading ? () => confirmAction({ ...signInTexts.signOutUploading, onConfirm: go }) : go;
}

/** A problem with the certificate, and the stat cards. */
function Figures() {
  const { data, error, refetch } = useQuery(queries.dashboard.queryOptions());
  // Numbers that were read stay visible after a failed refetch.
  const query = { data, error: data === undefined ? error : null, refetch };
  return (
    <Loaded query={query} loadFailed={dashboardTexts.loadFailed} shape="cards">
      {(numbers) => (
        <Stack gap="lg">
          {numbers.certificato !== null && <Certificate state={numbers.certificato} />}
          <Stats numbers={numbers} />
        </Stack>
      )}
    </Loaded>
  );
}

const STATS = ['token_totali', 'token_attivi', 'accessi_totali'] as const;

/** The three stat cards (spec 2). */
function Stats({ numbers }: { numbers: Record<(typeof STATS)[number], number> }) {
  return (
    <SimpleGrid component="dl" cols={3} spacing={{ base: 'xs', sm: 'lg' }} m={0}>
      {STATS.map((name) => (
        <Paper key={name} withBorder className={styles.stat}>
          <Text component="dt" className={styles.label}>
            {dashboardTexts.stats[name]}
          </Text>
          <Text component="dd" m={0} className={styles.number}>
            {dashboardTexts.count(numbers[name])}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

/** Interval in ms at which the certificate's expiry is checked. */
const POLL_MS = 60_000;

/** A problem with the site's certificate and its solution. Renders nothing if the certificate is valid. */
function Certificate({ state }: { state: CertificateState }) {
  const now = useNow(POLL_MS);
  const { trouble, valid_until } = state;
  const serves = valid_until !== null && new Date(valid_until) > now;
  if (serves && trouble === null) return null;
  return (
    <Alert
      role={trouble === null ? 'note' : 'alert'}
      color={serves ? 'orange' : 'red'}
      icon={<IconLockExclamation aria-hidden />}
      title={valid_until === null ? certificateTexts.title : certificateTexts.titleOld}
    >
      <Stack gap="xs">
        {trouble === null ? (
          <Text>{certificateTexts.requesting}</Text>
        ) : (
          <Trouble trouble={trouble} next={state.next_try} />
        )}
        {valid_until !== null && (
          <Text>
            {serves ? certificateTexts.servesUntil(valid_until) : certificateTexts.expired(valid_until)}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

type TroubleProps = { trouble: NonNullable<CertificateState['trouble']>; next: string | null };

function Trouble({ trouble, next }: TroubleProps) {
  const { what, todo } = troubleWords(trouble);
  return (
    <>
      <Text className={styles.told}>{what}</Text>
      <Text className={styles.told}>
        {todo} {next === null ? certificateTexts.soon : certificateTexts.nextTry(next)}
      </Text>
      {trouble.detail !== null && (
        <details>
          <summary className={styles.said}>{certificateTexts.originalMessage}</summary>
          <Text size="sm" className={styles.told}>
            {trouble.detail}
          </Text>
        </details>
      )}
    </>
  );
}

/** Width from which the cards are open at first. */
const WIDE = '(min-width: 62em)';

/** The grid of cards, folded on a phone. */
function AllPages() {
  const [open] = useState(() => matchMedia(WIDE).matches);
  return (
    <details className={styles.pages} open={open}>
      <summary>{dashboardTexts.pages}</summary>
      <PageCards />
    </details>
  );
}

/** A card for every page of the administration (spec 2). */
function PageCards() {
  return (
    <nav className={cards.cards} aria-label={dashboardTexts.pages}>
      {Object.entries(adminPageTexts).map(([path, texts]) => (
        <PageCard key={path} path={path} {...texts} />
      ))}
    </nav>
  );
}

function PageCard({ path, title, description }: { path: string; title: string; description: string }) {
  const Icon = usePageAt(path)?.icon;
  return (
    <Paper component={Link} to={path} withBorder className={cards.card}>
      {Icon && <Icon size={22} stroke={1.6} className={cards.icon} aria-hidden />}
      <div>
        <Text className={cards.title}>{title}</Text>
        <Text c="dimmed" size="sm" className={cards.description}>
          {description}
        </Text>
      </div>
    </Paper>
  );
}
