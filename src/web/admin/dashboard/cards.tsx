import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useContext } from 'react';
import { Link } from 'react-router';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import { type AdminPage, PageTable } from '../page-table.ts';
import styles from './page.module.css';

/** A card for every page of the administration (spec 2). */
export function Cards() {
  return (
    <Stack component="nav" gap="lg" aria-label={dashboardTexts.pages}>
      {useContext(PageTable).map(({ id, title, pages }) => (
        <Stack key={id} gap="sm">
          <Title order={2} size="h4" className={styles.group}>
            {title}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
            {pages.map((page) => (
              <Card key={page.path} page={page} />
            ))}
          </SimpleGrid>
        </Stack>
      ))}
    </Stack>
  );
}

function Card({ page: { path, title, description, icon: Icon } }: { page: AdminPage }) {
  return (
    <Paper component={Link} to={path} withBorder className={styles.card}>
      <Icon size={22} stroke={1.6} className={styles.icon} aria-hidden />
      <div>
        <Text className={styles.cardTitle}>{title}</Text>
        <Text c="dimmed" size="sm">
          {description}
        </Text>
      </div>
    </Paper>
  );
}
