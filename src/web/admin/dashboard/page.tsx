import { Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import { queries } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { NotPublicNotice } from '../components/not-online.tsx';
import { Accesses } from './accesses.tsx';
import { Certificate } from './certificate.tsx';
import { Greeting } from './greeting.tsx';
import { Hero } from './hero.tsx';
import { LatestEvents } from './latest-events.tsx';
import styles from './page.module.css';
import { PageCards } from './page-cards.tsx';
import { DiagnosisStatus } from './phones.tsx';
import { Readiness } from './readiness.tsx';

/** Start page: state of the evening, missing items, latest events, and links to all pages (spec 2). */
export function Page() {
  useDocumentTitle(dashboardTexts.title);
  return (
    <Stack className={styles.page} gap="xl">
      <Greeting />
      <Hero />
      <div className={styles.below}>
        <News />
      </div>
      <PageCards />
    </Stack>
  );
}

function News() {
  const { data, error, refetch } = useQuery(queries.dashboard.queryOptions());
  const ready = useQuery(queries.ready.read.queryOptions());
  // Hidden if a readiness reason already concerns the address, and after the evening.
  const isOver = ready.data?.verdict === 'over';
  const isSettled = isOver || ready.data?.reasons.some(({ id }) => id === 'address_here') === true;
  // Numbers that were read stay visible after a failed refetch.
  const query = {
    data: ready.isPending ? undefined : data,
    error: data === undefined ? error : null,
    refetch,
  };
  return (
    <Loaded query={query} loadFailed={dashboardTexts.loadFailed} shape="cards">
      {(numbers) => (
        <Stack gap="lg">
          {numbers.certificato !== null && <Certificate state={numbers.certificato} />}
          {!isSettled && <NotPublicNotice hasLink />}
          <Readiness />
          <Stats numbers={numbers} />
          {!isOver && <DiagnosisStatus />}
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" className={styles.news}>
            <Accesses days={numbers.accessi_per_giorno} />
            <LatestEvents events={numbers.ultimi_eventi} />
          </SimpleGrid>
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
