import { Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Drawing, type DrawingName } from './drawing.tsx';

type EmptyStateProps = {
  drawing: DrawingName;
  title: string;
  /** The next step to take. */
  hint?: string;
  /** Button or link for the next step. */
  action?: ReactNode;
};

/** Placeholder of an empty list: a drawing, a title and the next step. */
export function EmptyState({ drawing, title, hint, action }: EmptyStateProps) {
  return (
    <Center py="xl" px="md">
      <Stack align="center" gap="xs" maw="26rem">
        <Drawing name={drawing} />
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
