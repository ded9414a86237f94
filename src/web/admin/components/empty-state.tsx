import { Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Drawing, type DrawingName } from './drawing.tsx';

type EmptyStateProps = {
  drawing: DrawingName;
  title: string;
  /** What to do next. */
  hint?: string;
  /** The button or link that does it. */
  action?: ReactNode;
};

/** Where there is nothing yet: says so, with a drawing, and what to do next. */
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
