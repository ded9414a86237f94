import { Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { repliesTexts as texts } from '../../../../texts/admin/questions.ts';
import { longMoment } from '../../../../texts/dates.ts';
import { queries } from '../../api.ts';
import { Loaded } from '../../components/loaded.tsx';

/** Replies from keepsakes, newest first; renders nothing if there are none (decision 064). */
export function Replies() {
  const title = useId();
  const replies = useQuery(queries.answers.replies.queryOptions());
  if (replies.data?.length === 0) return null;
  return (
    <Stack component="section" aria-labelledby={title} gap="sm">
      <Title order={2} size="h3" id={title}>
        {texts.title}
      </Title>
      <Loaded query={replies} loadFailed={texts.loadFailed} shape="cards" count={1}>
        {(received) =>
          received.map(({ session_id, token_value, nome, testo, at }) => (
            <Paper key={session_id} withBorder p="md">
              <Group justify="space-between" gap="xs" mb="sm">
                <Text component="span">
                  {nome} <Code>{token_value}</Code>
                </Text>
                <Text c="dimmed" size="sm">
                  {longMoment(at)}
                </Text>
              </Group>
              <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{testo}</Text>
            </Paper>
          ))
        }
      </Loaded>
    </Stack>
  );
}
