import { Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type EmptyStateProps = {
  title: string;
  /** What to do next. */
  hint?: string;
  /** The button or link that does it. */
  action?: ReactNode;
  icon?: ReactNode;
};

/** Where there is nothing yet: says so, and what to do next. */
export function EmptyState({ title, hint, action, icon }: EmptyStateProps) {
  return (
    <Center py="xl" px="md">
      <Stack align="center" gap="xs" maw="26rem">
        {icon}
        <Text fw={600} ta="center">
          {title}
        </Text>
        {hint !== undefined && (
          <Text c="dimmed" ta="center">
            {hint}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}
