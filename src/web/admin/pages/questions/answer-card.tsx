import { Badge, Code, Group, Paper, Text } from '@mantine/core';
import type { AnswerRecord } from '../../../../contract/admin/questions.ts';
import type { Questions, Viaggio } from '../../../../domain/content.ts';
import { answersTexts as texts } from '../../../../texts/admin/questions.ts';
import { longMoment } from '../../../../texts/dates.ts';
import styles from './answer-card.module.css';
import { QUESTION_FIELDS } from './question-fields.ts';

type Props = {
  answer: AnswerRecord;
  /** As they read now; undefined until they are there. */
  questions: Questions | undefined;
  /** Whose code it is: null when it was deleted, undefined until it is known. */
  name: string | null | undefined;
};

/** What was answered to the two questions of a trip, by whom and when. */
export function AnswerCard({ answer, questions, name }: Props) {
  const viaggio = tripOf(answer);
  return (
    <Paper component="li" withBorder p="md">
      <Group justify="space-between" gap="xs" mb="sm">
        <Group gap="sm">
          <Badge variant="light" size="lg" tt="none" fw={550}>
            {texts.trips[viaggio]}
          </Badge>
          <Text component="span" className={styles.who}>
            {name === null ? <i>{texts.deletedCode}</i> : name} <Code>{answer.token_value}</Code>
          </Text>
        </Group>
        <Text c="dimmed" size="sm">
          {longMoment(answer.created_at)}
        </Text>
      </Group>
      <dl className={styles.answers}>
        <Answered question={1} viaggio={viaggio} questions={questions} yes={answer.risposta_1} />
        <Answered question={2} viaggio={viaggio} questions={questions} yes={answer.risposta_2} />
      </dl>
    </Paper>
  );
}

type AnsweredProps = { question: 1 | 2; viaggio: Viaggio; questions: Questions | undefined; yes: boolean };

function Answered({ question, viaggio, questions, yes }: AnsweredProps) {
  const [first, second] = QUESTION_FIELDS[viaggio];
  const text = questions?.[question === 1 ? first : second]?.trim() ?? '';
  return (
    <div className={styles.answer}>
      <dt>{text === '' ? texts.noQuestion[question] : text}</dt>
      <dd>
        <Badge variant={yes ? 'filled' : 'outline'} size="lg" tt="none">
          {yes ? texts.yes : texts.no}
        </Badge>
      </dd>
    </div>
  );
}

function tripOf({ viaggio }: AnswerRecord): Viaggio {
  return viaggio === 2 ? 2 : 1;
}
