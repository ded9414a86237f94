import { ActionIcon, Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { commonTexts } from '../../../texts/admin/common.ts';
import styles from './page-frame.module.css';

type PageFrameProps = {
  title: string;
  /** One line under the title. */
  description?: string;
  /** The parts of a long page (`SectionLinks`), in place of that line. */
  places?: ReactNode;
  /** How many there are of what it shows. */
  counts?: ReactNode;
  /** Buttons that concern the whole page. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A page of the administration: the way back, its title, and what it is about. */
export function PageFrame({ title, description, places, counts, actions, children }: PageFrameProps) {
  useDocumentTitle(title);
  return (
    <div className={styles.page}>
      <div>
        <Group component="header" justify="space-between" gap="sm">
          <Group gap="sm" wrap="nowrap" className={styles.heading}>
            <ActionIcon
              component={Link}
              to="/admin/dashboard"
              aria-label={commonTexts.back}
              variant="default"
              size="xl"
              radius="xl"
            >
              <IconArrowLeft size={20} aria-hidden />
            </ActionIcon>
            <Title order={1} size="h2" className={styles.title}>
              {title}
            </Title>
          </Group>
          {actions !== undefined && (
            <Group gap="sm">
              {counts}
              {actions}
            </Group>
          )}
        </Group>
        {description !== undefined && (
          <Text c="dimmed" className={styles.description ?? ''}>
            {description}
          </Text>
        )}
        {places}
      </div>
      {children}
    </div>
  );
}
