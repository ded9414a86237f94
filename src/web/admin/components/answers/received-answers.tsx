import { Badge, Button, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnswerRecord } from '../../../../contract/admin/config.ts';
import { CSV_BEGINNING, csvOf } from '../../../../domain/csv.ts';
import { italianDayOf } from '../../../../domain/days.ts';
import { repliesTexts, answersTexts as texts } from '../../../../texts/admin/questions.ts';
import { exactMoment, longMoment } from '../../../../texts/dates.ts';
import { IconDownload } from '../../../ui/icons/icons.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { toastSuccess } from '../../../ui/toaster/toast.ts';
import { queries } from '../../api.ts';
import { EmptyState } from '../empty-state.tsx';
import { Loaded } from '../loaded.tsx';
import { PageSection } from '../place/place.tsx';
import { QuestionsAndAnswers } from './asked-and-answered.tsx';

/** Replies from keepsakes, and the answers of both trips, newest first (spec 2 «Questions pages»), updated automatically. */
export function ReceivedAnswers() {
  const answers = useQuery(queries.answers.list.queryOptions());
  const codes = useQuery(queries.tokens.list.queryOptions()).data;
  const nameOf = (answer: AnswerRecord) =>
    codes && (codes.find(({ token }) => token === answer.token_value)?.nome ?? null);
  return (
    <>
      <Replies />
      <PageSection id="risposte" title={texts.title}>
        <Text c="dimmed">{texts.hint}</Text>
        <Loaded query={answers} loadFailed={texts.loadFailed} shape="cards">
          {(received) =>
            received.length === 0 ? (
              <EmptyState drawing="answers" title={texts.emptyTitle} hint={texts.emptyHint} />
            ) : (
              <>
                <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
                  {received.map((answer) => (
                    <AnswerCard key={answer.id} answer={answer} name={nameOf(answer)} />
                  ))}
                </Stack>
                <Group>
                  <Button
                    variant="default"
                    leftSection={<IconDownload size={18} aria-hidden />}
                    onClick={() => saveAnswers(received, nameOf)}
                  >
                    {texts.exportExcel}
                  </Button>
                </Group>
              </>
            )
          }
        </Loaded>
      </PageSection>
    </>
  );
}

/** Replies from keepsakes, newest first; renders nothing if there are none (decision 064). */
function Replies() {
  const replies = useQuery(queries.answers.replies.queryOptions());
  if (replies.data?.length === 0) return null;
  return (
    <PageSection title={repliesTexts.title}>
      <Loaded query={replies} loadFailed={repliesTexts.loadFailed} shape="cards" count={1}>
        {(received) =>
          received.map(({ session_id, token_value, nome, testo, at }) => (
            <Paper key={session_id} withBorder p="md">
              <CardHead at={at}>
                {nome} <Code>{token_value}</Code>
              </CardHead>
              <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{testo}</Text>
            </Paper>
          ))
        }
      </Loaded>
    </PageSection>
  );
}

/** Downloads the listed answers as a CSV file. */
function saveAnswers(
  answers: readonly AnswerRecord[],
  nameOf: (answer: AnswerRecord) => string | null | undefined,
): void {
  const answerText = (answer: boolean) => (answer ? texts.yes : texts.no);
  const rows = answers.map((answer) => [
    exactMoment(answer.created_at),
    texts.trips[answer.viaggio],
    nameOf(answer) ?? '',
    answer.token_value,
    answer.domanda_1 ?? '',
    answerText(answer.risposta_1),
    answer.domanda_2 ?? '',
    answerText(answer.risposta_2),
  ]);
  const content = CSV_BEGINNING + csvOf([texts.columns, ...rows], ';');
  saveFile(texts.fileName(italianDayOf(new Date())), new Blob([content], { type: 'text/csv;charset=utf-8' }));
  toastSuccess(texts.exported);
}

type AnswerCardProps = {
  answer: AnswerRecord;
  /** Name of the code; null if it was deleted, undefined until it is known. */
  name: string | null | undefined;
};

/** The answers to a trip's two questions, with code and time. */
function AnswerCard({ answer, name }: AnswerCardProps) {
  return (
    <Paper component="li" withBorder p="md">
      <CardHead at={answer.created_at}>
        <Badge variant="light" size="lg" tt="none" fw={550} mr="sm">
          {texts.trips[answer.viaggio]}
        </Badge>
        {name === null ? <i>{texts.deletedCode}</i> : name} <Code>{answer.token_value}</Code>
      </CardHead>
      <QuestionsAndAnswers answer={answer} />
    </Paper>
  );
}

function CardHead({ at, children }: { at: string; children: ReactNode }) {
  return (
    <Group justify="space-between" gap="xs" mb="sm">
      <Text component="span" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
      <Text c="dimmed" size="sm">
        {longMoment(at)}
      </Text>
    </Group>
  );
}
