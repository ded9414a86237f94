import { ActionIcon, Group, Stack, Text, Title } from '@mantine/core';
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
  /** A `<SaveState>`. */
  saveState?: ReactNode;
  /** Buttons that concern the whole page. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A page of the administration: the way back, its title, where saving stands, and what it is about. */
export function PageFrame({ title, description, saveState, actions, children }: PageFrameProps) {
  useDocumentTitle(title);
  return (
    <Stack className={styles.page} gap="lg">
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
        <Group gap="sm">
          {saveState}
          {actions}
        </Group>
      </Group>
      {description !== undefined && <Text c="dimmed">{description}</Text>}
      {children}
    </Stack>
  );
}
