import { Text } from '@mantine/core';
import type { ChannelName } from '../../../../domain/channels.ts';
import { meaningOf } from '../../../../texts/admin/notification-meanings.ts';

/** What the service's answer means, under it. */
export function Meaning({ channel, answer }: { channel: ChannelName; answer: string }) {
  const meaning = meaningOf(channel, answer);
  return meaning === null ? null : <Text mt="xs">{meaning}</Text>;
}
