import { Paper, Text } from '@mantine/core';
import { Link } from 'react-router';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import { adminPageTexts } from '../../../texts/admin/pages.ts';
import { usePageAt } from '../page-table.ts';
import styles from './page-cards.module.css';

/** A card for every page of the administration (spec 2). */
export function PageCards() {
  return (
    <nav className={styles.cards} aria-label={dashboardTexts.pages}>
      {Object.entries(adminPageTexts).map(([path, texts]) => (
        <PageCard key={path} path={path} {...texts} />
      ))}
    </nav>
  );
}

function PageCard({ path, title, description }: { path: string; title: string; description: string }) {
  const Icon = usePageAt(path)?.icon;
  return (
    <Paper component={Link} to={path} withBorder className={styles.card}>
      {Icon && <Icon size={22} stroke={1.6} className={styles.icon} aria-hidden />}
      <div>
        <Text className={styles.title}>{title}</Text>
        <Text c="dimmed" size="sm" className={styles.description}>
          {description}
        </Text>
      </div>
    </Paper>
  );
}
