import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { isBlank } from '../../../../domain/blank.ts';
import type { AdminAddress } from '../../../../texts/admin/pages.ts';
import { previewTexts } from '../../../../texts/admin/preview.ts';
import { usePageAt } from '../../page-table.ts';
import styles from './preview-card.module.css';

type PartProps = { title: string; path: AdminAddress; children: ReactNode };
type Props = PartProps & {
  action?: string;
  /** Section of that page, unless it is the first. */
  part?: string;
};

/** A part of the configuration, with a link to its page. */
export function PreviewCard({ title, path, part = '', action = previewTexts.edit, children }: Props) {
  const id = useId();
  const Icon = usePageAt(path)?.icon;
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="xs" wrap="nowrap">
            {Icon && <Icon size={20} aria-hidden />}
            <Title order={3} size="h4" id={id}>
              {title}
            </Title>
          </Group>
          <Button
            component={Link}
            to={{ pathname: path, hash: part }}
            variant="default"
            aria-describedby={id}
          >
            {action}
          </Button>
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

/** A section of a card with a separate page; its children are `Value`s. */
export function CardPart({ title, path, children }: PartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.part}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={4} size="h5" id={id}>
          {title}
        </Title>
        <Button component={Link} to={path} variant="default" size="compact-sm" aria-describedby={id}>
          {previewTexts.edit}
        </Button>
      </Group>
      <Values>{children}</Values>
    </section>
  );
}

/** Configured values with their names. */
export function Values({ children }: { children: ReactNode }) {
  return <dl className={styles.values}>{children}</dl>;
}

type ValueProps = {
  name: string;
  /** Null if not configured. */
  children: ReactNode | null;
  gender?: keyof typeof previewTexts.missing;
};

export function Value({ name, children, gender = 'masculine' }: ValueProps) {
  return (
    <div className={styles.value}>
      <dt>{name}</dt>
      <dd>{children ?? <Missing gender={gender} />}</dd>
    </div>
  );
}

export function Missing({ gender }: { gender: keyof typeof previewTexts.missing }) {
  return (
    <Text component="span" c="dimmed" fs="italic">
      {previewTexts.missing[gender]}
    </Text>
  );
}

/** Returns the text, or null if it is blank. */
export function nonBlank(text: string | null): string | null {
  return text === null || isBlank(text) ? null : text;
}
