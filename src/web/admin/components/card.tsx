import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

type CardProps = { title: string; hint?: string; action?: ReactNode; children: ReactNode };

/** A section of the page with its heading. */
export function Card({ title, hint, action, children }: CardProps) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby={id}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} size="h3" id={id}>
            {title}
          </Title>
          {action}
        </Group>
        {hint !== undefined && <Text c="dimmed">{hint}</Text>}
        {children}
      </Stack>
    </Paper>
  );
}
