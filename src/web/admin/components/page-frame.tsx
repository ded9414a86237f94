import { ActionIcon, Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { commonTexts } from '../../../texts/admin/forms.ts';
import { IconArrowLeft } from '../../ui/icons/icons.tsx';
import styles from './page-frame.module.css';

type PageFrameProps = {
  title: string;
  /** One line below the title. */
  description?: string;
  /** Number of items shown. */
  counts?: ReactNode;
  /** Buttons for the whole page. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A page of the administration: back link, title and description. */
export function PageFrame({ title, description, counts, actions, children }: PageFrameProps) {
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
      </div>
      {children}
    </div>
  );
}
