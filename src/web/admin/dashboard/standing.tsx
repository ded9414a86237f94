import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { AnswerRecord } from '../../../contract/admin/questions.ts';
import type { SessionRecord } from '../../../contract/admin/sessions.ts';
import { VISIT_LIFE_MS } from '../../../domain/limits.ts';
import { gist } from '../../../domain/phase.ts';
import { commonTexts } from '../../../texts/admin/common.ts';
import { eveningTexts as texts } from '../../../texts/admin/dashboard.ts';
import { answersTexts } from '../../../texts/admin/questions.ts';
import { readinessTexts } from '../../../texts/admin/readiness.ts';
import { ago, ahead } from '../../../texts/admin/times.ts';
import { longMoment } from '../../../texts/dates.ts';
import { AskedAndAnswered } from '../components/answers/asked-and-answered.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { useNow } from '../components/live-table/use-now.ts';
import { Loading } from '../components/loading.tsx';
import { useErrorToast } from '../components/use-error-toast.ts';
import styles from './page.module.css';
import { type Numbers, useEvening, useNames } from './preparation.ts';
import { Readiness } from './readiness.tsx';

/** Codes expire and the site closes at a moment: looked at this often, in milliseconds. */
const LOOK_MS = 30_000;

/** How the surprise stands: being prepared or ready, under way, or over. */
export function Standing({ numbers }: { numbers: Numbers }) {
  const now = useNow(LOOK_MS);
  const { evening, failed } = useEvening(now);
  useErrorToast(failed?.error ?? null, commonTexts.loadFailed);
  return (
    <Paper withBorder className={styles.panel}>
      <Stack>
        {failed !== undefined ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : evening === undefined ? (
          <Loading lines={4} />
        ) : (
          <>
            <Head evening={evening} now={now} />
            <Readiness numbers={numbers} now={now} begun={evening.phase !== 'waiting'} />
          </>
        )}
      </Stack>
    </Paper>
  );
}

type Evening = NonNullable<ReturnType<typeof useEvening>['evening']>;

function Head({ evening, now }: { evening: Evening; now: Date }) {
  if (evening.phase === 'waiting') return <Heading>{readinessTexts.title}</Heading>;
  const answersOf = ({ id }: SessionRecord) =>
    evening.answers.filter(({ session_id }) => session_id === id).toSorted((a, b) => a.viaggio - b.viaggio);
  if (evening.phase === 'over') return <Over visit={evening.visit} answers={answersOf(evening.visit)} />;
  return evening.visits.map((visit) => (
    <UnderWay key={visit.id} visit={visit} answers={answersOf(visit)} now={now} />
  ));
}

function Heading({ children }: { children: string }) {
  return (
    <Title order={2} size="h4">
      {children}
    </Title>
  );
}

type VisitProps = { visit: SessionRecord; answers: readonly AnswerRecord[] };

/** Where she is, in words; it changes while she walks. */
function UnderWay({ visit, answers, now }: VisitProps & { now: Date }) {
  const name = useNames()(visit.token_value);
  const step = visit.stages[visit.position.step];
  const rests = visit.state === 'paused';
  const end = new Date(Date.parse(visit.started_at) + VISIT_LIFE_MS).toISOString();
  return (
    <>
      <div aria-live="polite">
        <Heading>{rests ? texts.rests(name, step) : texts.isAt(name, step)}</Heading>
      </div>
      <Text>{rests ? texts.until(ahead(end, now)) : texts.began(ago(visit.started_at, now))}</Text>
      {visit.background && !rests && <Text>{texts.hidden}</Text>}
      <Answers answers={answers} />
      <Group>
        <Button component={Link} to="/admin/sessions">
          {texts.follow}
        </Button>
      </Group>
    </>
  );
}

/** What came of it: success, whatever the answers are. */
function Over({ visit, answers }: VisitProps) {
  const name = useNames()(visit.token_value);
  const ended = visit.completed_at ?? answers.at(-1)?.created_at ?? visit.last_activity;
  return (
    <>
      <Heading>{texts.over[gist(answers) ?? 'none']}</Heading>
      <Text>{texts.who(name, longMoment(ended))}</Text>
      <Answers answers={answers} />
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

/** What she has answered so far; which trip is said where there are two. */
function Answers({ answers }: { answers: readonly AnswerRecord[] }) {
  if (answers.length === 0) return null;
  return (
    <Stack component="section" gap="sm" maw="40rem" aria-label={texts.answers}>
      {answers.map((answer) => (
        <div key={answer.id}>
          {answers.length > 1 && (
            <Text c="dimmed" size="sm" mb={4}>
              {answersTexts.trips[answer.viaggio === 2 ? 2 : 1]}
            </Text>
          )}
          <AskedAndAnswered answer={answer} />
        </div>
      ))}
    </Stack>
  );
}
