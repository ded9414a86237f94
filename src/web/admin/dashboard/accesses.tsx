import { Box, Paper, Skeleton, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import { dayOf } from '../../../texts/admin/times.ts';
import type { AccessDay } from './access-chart.tsx';
import styles from './page.module.css';

const texts = dashboardTexts.accesses;

/** Loaded lazily, because the chart library is large. */
const AccessChart = lazy(async () => ({ default: (await import('./access-chart.tsx')).AccessChart }));

/** Accesses of the last 30 days: a sentence, a chart, and a table for screen readers. */
export function Accesses({ days }: { days: readonly AccessDay[] }) {
  const busy = days.filter(({ riusciti, rifiutati }) => riusciti + rifiutati > 0);
  const total = (name: 'riusciti' | 'rifiutati') => busy.reduce((sum, day) => sum + day[name], 0);
  return (
    <Paper withBorder className={styles.panel}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {texts.title}
        </Title>
        <Text c="dimmed">
          {busy.length === 0 ? texts.none : texts.summary(total('riusciti'), total('rifiutati'))}
        </Text>
        {busy.length > 0 && (
          <>
            <Box aria-hidden h={180}>
              <Suspense fallback={<Skeleton h={180} />}>
                <AccessChart days={days} />
              </Suspense>
            </Box>
            <VisuallyHidden>
              <DaysTable days={busy} />
            </VisuallyHidden>
          </>
        )}
      </Stack>
    </Paper>
  );
}

function DaysTable({ days }: { days: readonly AccessDay[] }) {
  return (
    <Table>
      <caption>{texts.table}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.day}</th>
          <th scope="col">{texts.granted}</th>
          <th scope="col">{texts.denied}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ giorno, riusciti, rifiutati }) => (
          <tr key={giorno}>
            <th scope="row">{dayOf(`${giorno}T12:00:00Z`)}</th>
            <td>{riusciti}</td>
            <td>{rifiutati}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
