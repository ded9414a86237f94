import { Paper, SimpleGrid, Text } from '@mantine/core';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import styles from './page.module.css';

const STATS = ['token_totali', 'token_attivi', 'accessi_totali'] as const;

type Numbers = Record<(typeof STATS)[number], number>;

/** The three stat cards (spec 2). */
export function Stats({ numbers }: { numbers: Numbers }) {
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
