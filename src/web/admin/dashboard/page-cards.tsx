import { Paper, Text } from '@mantine/core';
import { useContext } from 'react';
import { Link } from 'react-router';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import { PageTable } from '../page-table.ts';
import styles from './page-cards.module.css';

/** A card for every page of the administration (spec 2). */
export function PageCards() {
  const pages = useContext(PageTable).flatMap((group) => group.pages);
  return (
    <nav className={styles.cards} aria-label={dashboardTexts.pages}>
      {pages.map(({ path, title, description, icon: Icon }) => (
        <Paper key={path} component={Link} to={path} withBorder className={styles.card}>
          <Icon size={22} stroke={1.6} className={styles.icon} aria-hidden />
          <div>
            <Text className={styles.title}>{title}</Text>
            <Text c="dimmed" size="sm" className={styles.description}>
              {description}
            </Text>
          </div>
        </Paper>
      ))}
    </nav>
  );
}
