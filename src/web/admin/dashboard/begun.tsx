import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { AnswerRecord } from '../../../contract/admin/questions.ts';
import type { SessionRecord } from '../../../contract/admin/sessions.ts';
import { VISIT_LIFETIME_MS } from '../../../domain/limits.ts';
import { summarizeAnswers } from '../../../domain/phase.ts';
import { eveningTexts as texts } from '../../../texts/admin/dashboard.ts';
import { answersTexts, repliesTexts } from '../../../texts/admin/questions.ts';
import { ago, ahead } from '../../../texts/admin/times.ts';
import { longMoment } from '../../../texts/dates.ts';
import { queries } from '../api.ts';
import { QuestionsAndAnswers } from '../components/answers/asked-and-answered.tsx';
import { type useEvening, useNames } from './evening.ts';
import { VisitorScene } from './her-scene.tsx';
import styles from './hero.module.css';

type Evening = NonNullable<ReturnType<typeof useEvening>['evening']>;
type Begun = Exclude<Evening, { phase: 'waiting' }>;

/** A started evening: the visitor's present scene, or the answers after the end. */
export function EveningProgress({ evening, now }: { evening: Begun; now: Date }) {
  const answersOf = ({ id }: SessionRecord) =>
    evening.answers.filter(({ session_id }) => session_id === id).toSorted((a, b) => a.viaggio - b.viaggio);
  if (evening.phase === 'over')
    return <CompletedVisit visit={evening.visit} answers={answersOf(evening.visit)} />;
  return evening.visits.map((visit) => (
    <RunningVisit key={visit.id} visit={visit} answers={answersOf(visit)} now={now} />
  ));
}

function Heading({ children }: { children: string }) {
  return (
    <Title order={2} className={styles.sentence}>
      {children}
    </Title>
  );
}

type VisitProps = { visit: SessionRecord; answers: readonly AnswerRecord[] };

/** The visitor's present position as a sentence. */
function RunningVisit({ visit, answers, now }: VisitProps & { now: Date }) {
  const name = useNames()(visit.token_value);
  const step = visit.stages[visit.position.step];
  const isPaused = visit.state === 'paused';
  const end = new Date(Date.parse(visit.started_at) + VISIT_LIFETIME_MS).toISOString();
  return (
    <div className={styles.live}>
      <Stack className={styles.told}>
        <div aria-live="polite">
          <Heading>{isPaused ? texts.rests(name, step) : texts.isAt(name, step)}</Heading>
        </div>
        <Text>{isPaused ? texts.until(ahead(end, now)) : texts.began(ago(visit.started_at, now))}</Text>
        {visit.background && !isPaused && <Text>{texts.hidden}</Text>}
        <Answers answers={answers} />
        <Group>
          <Button component={Link} to="/admin/sessions">
            {texts.follow}
          </Button>
        </Group>
      </Stack>
      <VisitorScene visit={visit} answers={answers} />
    </div>
  );
}

/** The answers of a completed visit. Any answers count as success. */
function CompletedVisit({ visit, answers }: VisitProps) {
  const name = useNames()(visit.token_value);
  const ended = visit.completed_at ?? answers.at(-1)?.created_at ?? visit.last_activity;
  return (
    <>
      <Heading>{texts.over[summarizeAnswers(answers) ?? 'none']}</Heading>
      <Text>{texts.who(name, longMoment(ended))}</Text>
      <div className={styles.large}>
        <Answers answers={answers} />
      </div>
      <Reply visit={visit} />
      <Text c="dimmed">{texts.again}</Text>
      <Group gap="sm">
        {answers.length > 0 && (
          <Button component={Link} to="/admin/checkbox">
            {texts.allAnswers}
          </Button>
        )}
        <Button component={Link} to="/admin/token" variant="default">
          {texts.codes}
        </Button>
      </Group>
    </>
  );
}

/** The visitor's reply from the keepsake, in full. */
function Reply({ visit }: { visit: SessionRecord }) {
  const replies = useQuery(queries.answers.replies.queryOptions()).data ?? [];
  const reply = replies.find(({ session_id }) => session_id === visit.id);
  if (reply === undefined) return null;
  return (
    <Paper withBorder p="md" maw="40rem">
      <Text fw={600} mb={4}>
        {repliesTexts.title}
      </Text>
      <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{reply.testo}</Text>
    </Paper>
  );
}

/** The answers received until now, with the trip's name if there are two. */
function Answers({ answers }: { answers: readonly AnswerRecord[] }) {
  if (answers.length === 0) return null;
  return (
    <Stack role="group" gap="sm" maw="40rem" aria-label={texts.answers}>
      {answers.map((answer) => (
        <div key={answer.id}>
          {answers.length > 1 && (
            <Text c="dimmed" size="sm" mb={4}>
              {answersTexts.trips[answer.viaggio]}
            </Text>
          )}
          <QuestionsAndAnswers answer={answer} />
        </div>
      ))}
    </Stack>
  );
}
