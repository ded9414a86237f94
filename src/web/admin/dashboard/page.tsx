import { SimpleGrid, Stack } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import { queries } from '../api.ts';
import { ErrorState } from '../components/error-state.tsx';
import { Loading } from '../components/loading.tsx';
import { useErrorToast } from '../components/use-error-toast.ts';
import { Accesses } from './accesses.tsx';
import { Cards } from './cards.tsx';
import { Greeting } from './greeting.tsx';
import { LatestEvents } from './latest-events.tsx';
import styles from './page.module.css';
import { Standing } from './standing.tsx';
import { Stats } from './stats.tsx';

/** Where the administrator arrives: how it stands, what lacks, what has happened, and the way to every page (spec 2). */
export function DashboardPage() {
  useDocumentTitle(dashboardTexts.title);
  return (
    <Stack className={styles.page} gap="xl">
      <Greeting />
      <News />
      <Cards />
    </Stack>
  );
}

function News() {
  const { data, error, refetch } = useQuery(queries.dashboard.queryOptions());
  useErrorToast(data === undefined ? error : null, dashboardTexts.loadFailed);
  if (data === undefined) {
    if (error === null) return <Loading lines={8} />;
    return <ErrorState error={error} fallback={dashboardTexts.loadFailed} onRetry={() => void refetch()} />;
  }
  return (
    <Stack gap="lg">
      <Stats numbers={data} />
      <Standing numbers={data} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" className={styles.news}>
        <Accesses days={data.accessi_per_giorno} />
        <LatestEvents events={data.ultimi_eventi} />
      </SimpleGrid>
    </Stack>
  );
}
