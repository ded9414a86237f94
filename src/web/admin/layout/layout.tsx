import { AppShell, Burger, Drawer, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Link, Navigate, Outlet, useLocation, useNavigation } from 'react-router';
import { commonTexts } from '../../../texts/admin/forms.ts';
import { pageAt } from '../../../texts/admin/pages.ts';
import { ErrorState } from '../components/error-state.tsx';
import { Loading } from '../components/loading.tsx';
import { UploadIndicator } from '../components/media/uploads/upload-indicator.tsx';
import { NextStep, useFocusOnField } from '../components/path/onward.tsx';
import { isRefusal } from '../failure.ts';
import { useAdminLive } from '../live.ts';
import { type AdminPages, PageTable } from '../page-table.ts';
import { useSignedIn } from '../use-signed-in.ts';
import styles from './layout.module.css';
import { EntryTabs, Navigation } from './navigation.tsx';

/** Guard and frame of all pages behind the sign-in: navigation on the left, or in a drawer on a phone. */
export function AdminLayout({ pages }: { pages: AdminPages }) {
  const { data, error, refetch } = useSignedIn();
  const { key } = useLocation();
  if (data !== undefined)
    return (
      <PageTable value={pages}>
        <Frame />
      </PageTable>
    );
  const refused = isRefusal(error, 'SIGN_IN_REQUIRED');
  return (
    <main className={styles.waiting}>
      {/* `key` repeats the redirect if the back button interrupts it. */}
      {refused && <Navigate key={key} to="/admin" replace />}
      {error === null || refused ? (
        <Loading shape="cards" />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </main>
  );
}

function Frame() {
  useAdminLive();
  const [opened, { open, close }] = useDisclosure();
  const content = useFocusOnNavigation(close);
  useFocusOnField();
  const { state } = useNavigation();
  return (
    <AppShell
      header={{ height: { base: 56, md: 0 } }}
      navbar={{ width: 304, breakpoint: 'md', collapsed: { mobile: true } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      {state === 'loading' && <div className={styles.coming} aria-hidden />}
      <a href="#contenuto" className={styles.skip}>
        {commonTexts.skip}
      </a>
      <AppShell.Header hiddenFrom="md" className={styles.header}>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            size="sm"
            className={styles.menu}
            onClick={open}
            aria-haspopup="dialog"
            aria-label={commonTexts.openNavigation}
          />
          <Text component={Link} to="/admin/dashboard" className={styles.brand}>
            {commonTexts.brand}
          </Text>
          <NextStep />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar visibleFrom="md" className={styles.navbar} aria-label={commonTexts.navigation}>
        <Text component={Link} to="/admin/dashboard" className={styles.brand} px="lg" mt="xs">
          {commonTexts.brand}
        </Text>
        <div className={styles.scroll}>
          <Navigation />
        </div>
        <div className={styles.foot}>
          <NextStep />
        </div>
      </AppShell.Navbar>
      <Drawer opened={opened} onClose={close} title={commonTexts.navigation} hiddenFrom="md" size={320}>
        <nav aria-label={commonTexts.navigation}>
          <Navigation />
        </nav>
      </Drawer>
      <AppShell.Main ref={content} id="contenuto" tabIndex={-1} className={styles.main}>
        <EntryTabs />
        <Outlet />
      </AppShell.Main>
      <UploadIndicator />
    </AppShell>
  );
}

/** After a navigation, moves the focus to the new page and closes the drawer. */
function useFocusOnNavigation(close: () => void) {
  const { pathname, key } = useLocation();
  const content = useRef<HTMLElement>(null);
  const page = pageAt(pathname);
  const shown = useRef(page);
  // `key` also changes on a link to the current page, which is in the drawer.
  useEffect(close, [key, close]);
  // Runs before the page's own effects, which may scroll to a section.
  useLayoutEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    content.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [page]);
  return content;
}
