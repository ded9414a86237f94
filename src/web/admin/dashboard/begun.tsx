import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { AnswerRecord } from '../../../contract/admin/config.ts';
import type { SessionRecord } from '../../../contract/admin/logs.ts';
import { tripOf } from '../../../domain/content.ts';
import { phaseOf, summarizeAnswers } from '../../../domain/evening.ts';
import { itinerary } from '../../../domain/itinerary.ts';
import { VISIT_LIFETIME_MS } from '../../../domain/limits.ts';
import { recipientName } from '../../../domain/recipient-name.ts';
import { stageContent } from '../../../domain/stage-content.ts';
import { checklistTexts, eveningTexts as texts } from '../../../texts/admin/dashboard.ts';
import { ago, ahead } from '../../../texts/admin/formats.ts';
import { stageName } from '../../../texts/admin/preview.ts';
import { answersTexts, repliesTexts } from '../../../texts/admin/questions.ts';
import { longMoment } from '../../../texts/dates.ts';
import { SKY_OF_STAGE } from '../../scenes/hours.ts';
import { queries } from '../api.ts';
import { QuestionsAndAnswers } from '../components/answers/asked-and-answered.tsx';
import { useEveningData } from '../components/evening/evening-data.ts';
import { StageScene } from '../components/evening/stage-scene.tsx';
import { SceneThumbnail } from '../components/evening/still.tsx';
import styles from './hero.module.css';

/** Returns the phase of the evening (waiting, running, over), or undefined until it is known. */
export function useEvening(now: Date) {
  const sessions = useQuery(queries.sessions.list.queryOptions());
  const answers = useQuery(queries.answers.list.queryOptions());
  const codes = useQuery(queries.tokens.list.queryOptions());
  const config = useQuery(queries.config.read.queryOptions());
  const failed = [sessions, answers, config].find(({ error, data }) => data === undefined && error !== null);
  if (
    sessions.data === undefined ||
    answers.data === undefined ||
    config.data === undefined ||
    codes.isPending
  )
    return { evening: undefined, failed };
  const visits = [...sessions.data.attive, ...sessions.data.terminate];
  const { opens_at } = config.data;
  const known = { visits, answers: answers.data, codes: codes.data ?? [], opens_at };
  return { evening: { ...phaseOf(known, now), answers: answers.data }, failed: undefined };
}

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

/**
 * The visitor's present scene on a phone, by stage and phrase. Drawn from the present configuration; a stage removed since then
 * shows nothing.
 */
function VisitorScene({ visit, answers }: VisitProps) {
  const snapshot = useEveningData().data?.snapshot;
  const at = visit.stages[visit.position.step];
  const step =
    snapshot &&
    itinerary(snapshot).find(({ stage, viaggio }) => stage === at?.stage && viaggio === at.viaggio);
  if (snapshot === undefined || step === undefined) return <div className={styles.phone} />;
  const answersByTrip = new Map(answers.map((answer) => [answer.viaggio, answer] as const));
  return (
    <figure className={styles.phone}>
      <SceneThumbnail
        title={stageName(step)}
        hour={SKY_OF_STAGE[step.stage]}
        hues={tripOf(snapshot, step.viaggio).hues}
      >
        <StageScene
          key={`${step.stage} ${step.viaggio}`}
          content={stageContent(snapshot, step, answersByTrip)}
          passenger={recipientName(snapshot.config)}
          at={visit.position.phrase}
          still
        />
      </SceneThumbnail>
      <Text component="figcaption" size="sm" c="dimmed" ta="center">
        {checklistTexts.live}
      </Text>
    </figure>
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
          <Button component={Link} to="/admin/sessions#risposte">
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

/** Returns a function that maps a code's text to its name. A deleted code is named by its text. */
function useNames(): (token_value: string) => string {
  const codes = useQuery(queries.tokens.list.queryOptions()).data ?? [];
  return (token_value) => codes.find(({ token }) => token === token_value)?.nome ?? texts.codeOf(token_value);
}
