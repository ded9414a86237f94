import { Text } from '@mantine/core';
import type { ChannelName } from '../../../../domain/channels.ts';
import { meaningOf } from '../../../../texts/admin/notification-meanings.ts';

/** Explains the service's reply, if it is a known one. */
export function Meaning({ channel, answer }: { channel: ChannelName; answer: string }) {
  const meaning = meaningOf(channel, answer);
  return meaning === null ? null : <Text mt="xs">{meaning}</Text>;
}
