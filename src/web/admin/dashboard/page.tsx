import { SimpleGrid, Stack } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import { queries } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
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
  // Numbers that were read stay, whatever the next reading says.
  const query = { data, error: data === undefined ? error : null, refetch };
  return (
    <Loaded query={query} loadFailed={dashboardTexts.loadFailed} lines={8}>
      {(numbers) => (
        <Stack gap="lg">
          <Stats numbers={numbers} />
          <Standing numbers={numbers} />
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" className={styles.news}>
            <Accesses days={numbers.accessi_per_giorno} />
            <LatestEvents events={numbers.ultimi_eventi} />
          </SimpleGrid>
        </Stack>
      )}
    </Loaded>
  );
}
