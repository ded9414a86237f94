import { Stack, Text, Title } from '@mantine/core';
import { IconHearts } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { answersTexts as texts } from '../../../../texts/admin/questions.ts';
import { queries } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { LiveList } from '../../components/live-table/live-list.tsx';
import { AnswerCard } from './answer-card.tsx';

/** The answers of both trips, newest first (spec 2 «Questions pages»); new ones appear by themselves. */
export function ReceivedAnswers() {
  const title = useId();
  const answers = useQuery(queries.answers.list.queryOptions());
  const codes = useQuery(queries.tokens.list.queryOptions()).data;
  return (
    <Stack component="section" aria-labelledby={title} gap="sm">
      <Title order={2} size="h3" id={title}>
        {texts.title}
      </Title>
      <Text c="dimmed">{texts.hint}</Text>
      <LiveList query={answers} loadFailed={texts.loadFailed}>
        {(received) =>
          received.length === 0 ? (
            <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} icon={<IconHearts aria-hidden />} />
          ) : (
            <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
              {received.map((answer) => (
                <AnswerCard
                  key={answer.id}
                  answer={answer}
                  name={codes && (codes.find(({ token }) => token === answer.token_value)?.nome ?? null)}
                />
              ))}
            </Stack>
          )
        }
      </LiveList>
    </Stack>
  );
}
