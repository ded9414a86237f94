import { Badge, Code, Group, Paper, Text } from '@mantine/core';
import type { AnswerRecord } from '../../../../contract/admin/questions.ts';
import { answersTexts as texts } from '../../../../texts/admin/questions.ts';
import { longMoment } from '../../../../texts/dates.ts';
import { AskedAndAnswered } from '../../components/answers/asked-and-answered.tsx';
import styles from './answer-card.module.css';

type Props = {
  answer: AnswerRecord;
  /** Whose code it is: null when it was deleted, undefined until it is known. */
  name: string | null | undefined;
};

/** What was answered to the two questions of a trip, by whom and when. */
export function AnswerCard({ answer, name }: Props) {
  return (
    <Paper component="li" withBorder p="md">
      <Group justify="space-between" gap="xs" mb="sm">
        <Group gap="sm">
          <Badge variant="light" size="lg" tt="none" fw={550}>
            {texts.trips[answer.viaggio === 2 ? 2 : 1]}
          </Badge>
          <Text component="span" className={styles.who}>
            {name === null ? <i>{texts.deletedCode}</i> : name} <Code>{answer.token_value}</Code>
          </Text>
        </Group>
        <Text c="dimmed" size="sm">
          {longMoment(answer.created_at)}
        </Text>
      </Group>
      <AskedAndAnswered answer={answer} />
    </Paper>
  );
}
