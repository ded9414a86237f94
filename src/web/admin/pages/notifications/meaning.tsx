import { Text } from '@mantine/core';
import { meaningOf } from '../../../../texts/admin/notifications.ts';

/** What Telegram's answer means, under it. */
export function Meaning({ answer }: { answer: string }) {
  const meaning = meaningOf(answer);
  return meaning === null ? null : <Text mt="xs">{meaning}</Text>;
}
