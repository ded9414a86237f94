import { Badge, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { AnswerRecord } from '../../../../contract/admin/questions.ts';
import { CSV_BEGINNING, csvOf } from '../../../../domain/csv.ts';
import { italianDayOf } from '../../../../domain/days.ts';
import { answersTexts as texts } from '../../../../texts/admin/questions.ts';
import { exactMoment, longMoment } from '../../../../texts/dates.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { toastSuccess } from '../../../ui/toaster/toast.ts';
import { queries } from '../../api.ts';
import { QuestionsAndAnswers } from '../../components/answers/asked-and-answered.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import styles from './received-answers.module.css';

/** The answers of both trips, newest first (spec 2 «Questions pages»), updated automatically. */
export function ReceivedAnswers() {
  const title = useId();
  const answers = useQuery(queries.answers.list.queryOptions());
  const codes = useQuery(queries.tokens.list.queryOptions()).data;
  const nameOf = (answer: AnswerRecord) =>
    codes && (codes.find(({ token }) => token === answer.token_value)?.nome ?? null);
  return (
    <Stack component="section" aria-labelledby={title} gap="sm">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h3" id={title}>
          {texts.title}
        </Title>
        {answers.data !== undefined && answers.data.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            onClick={() => saveAnswers(answers.data, nameOf)}
          >
            {texts.exportExcel}
          </Button>
        )}
      </Group>
      <Text c="dimmed">{texts.hint}</Text>
      <Loaded query={answers} loadFailed={texts.loadFailed} shape="cards">
        {(received) =>
          received.length === 0 ? (
            <EmptyState drawing="answers" title={texts.emptyTitle} hint={texts.emptyHint} />
          ) : (
            <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
              {received.map((answer) => (
                <AnswerCard key={answer.id} answer={answer} name={nameOf(answer)} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Stack>
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
      <Group justify="space-between" gap="xs" mb="sm">
        <Group gap="sm">
          <Badge variant="light" size="lg" tt="none" fw={550}>
            {texts.trips[answer.viaggio]}
          </Badge>
          <Text component="span" className={styles.who}>
            {name === null ? <i>{texts.deletedCode}</i> : name} <Code>{answer.token_value}</Code>
          </Text>
        </Group>
        <Text c="dimmed" size="sm">
          {longMoment(answer.created_at)}
        </Text>
      </Group>
      <QuestionsAndAnswers answer={answer} />
    </Paper>
  );
}
