import { Button, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { isContentBegun, isContentComplete, nextStep } from '../../../domain/checklist.ts';
import { daysUntil } from '../../../domain/days.ts';
import { recipientName } from '../../../domain/recipient-name.ts';
import { checklistStepAction, checklistTexts as texts } from '../../../texts/admin/dashboard.ts';
import { diagnosisAdminTexts } from '../../../texts/admin/diagnosis.ts';
import { commonTexts } from '../../../texts/admin/forms.ts';
import { adminPageTexts } from '../../../texts/admin/pages.ts';
import { readinessPageTexts, reasonTexts } from '../../../texts/admin/readiness.ts';
import { verdictText } from '../../../texts/diagnosis.ts';
import { queries } from '../api.ts';
import { ErrorState } from '../components/error-state.tsx';
import { useNow } from '../components/live-table/use-now.ts';
import { useLoadingMarker } from '../components/loading.tsx';
import { stepLink } from '../components/path/onward.tsx';
import { type ChecklistData, useChecklist } from '../components/path/use-path.ts';
import { useErrorToast } from '../components/use-error-toast.ts';
import { EveningProgress, useEvening } from './begun.tsx';
import styles from './hero.module.css';
import { Checklist, ChecklistSkeleton } from './strip.tsx';

/** Interval in ms at which phase and readiness are recomputed, because codes expire and days pass. */
const POLL_MS = 30_000;

/**
 * Top of the dashboard. Before the evening: a sentence, the checklist and one button. During it: the visitor's scene. After it:
 * the answers.
 */
export function Hero() {
  const now = useNow(POLL_MS);
  const { evening, failed } = useEvening(now);
  const path = useChecklist();
  // Shared with the checklist, which doesn't poll.
  useQuery(queries.ready.read.queryOptions({ refetchInterval: POLL_MS }));
  const phones = useQuery(queries.diagnosis.list.queryOptions());
  const problem = failed ?? (path.error === null ? undefined : path);
  useErrorToast(problem?.error ?? null, commonTexts.loadFailed);
  return (
    <section className={styles.hero}>
      {problem !== undefined ? (
        <ErrorState error={problem.error} onRetry={() => void problem.refetch()} />
      ) : evening === undefined || path.data === undefined || phones.isPending ? (
        <HeroSkeleton />
      ) : evening.phase === 'waiting' ? (
        <Before path={path.data} now={now} />
      ) : (
        <>
          <EveningProgress evening={evening} now={now} />
          {evening.phase === 'under_way' && <Readiness ready={path.data.ready} redOnly />}
        </>
      )}
    </section>
  );
}

function HeroSkeleton() {
  useLoadingMarker();
  return (
    <>
      <div role="status" className={styles.sentence}>
        <VisuallyHidden>{commonTexts.loading}</VisuallyHidden>
        <Skeleton h="1em" w="80%" mt="0.15em" />
      </div>
      <ChecklistSkeleton />
      {/* The last placeholder; content below it stays hidden. */}
      <div data-coming className={styles.onward}>
        <Skeleton h="2.75rem" w="14rem" />
      </div>
    </>
  );
}

function Before({ path, now }: { path: ChecklistData; now: Date }) {
  const { scenes, snapshot } = path;
  const next = nextStep(scenes);
  return (
    <>
      <Title order={2} className={styles.sentence}>
        {sentenceOf(path, now)}
      </Title>
      <Checklist scenes={scenes} snapshot={snapshot} next={next} />
      <div className={styles.onward}>
        {next === undefined ? (
          <LastAction ready={path.ready} />
        ) : (
          <>
            <Button component={Link} {...stepLink(next)} size="md">
              {checklistStepAction(next)}
            </Button>
            <Text className={styles.place}>{texts.step(scenes.indexOf(next) + 1, scenes.length)}</Text>
          </>
        )}
      </div>
      <Readiness ready={path.ready} />
      <PhoneReady />
    </>
  );
}

/** Returns the state and the days left: «Tutto pronto per Giulia. Mancano 19 giorni.» */
function sentenceOf({ scenes, settings, ready }: ChecklistData, now: Date): string {
  const name = recipientName(settings);
  const day = settings.opens_at ?? settings.data_laurea;
  const left = day === null ? -1 : daysUntil(day, now);
  return left < 0 ? stateSentence() : `${stateSentence()} ${texts.left(left)}`;

  function stateSentence(): string {
    if (!isContentComplete(scenes)) return isContentBegun(scenes) ? texts.going(name) : texts.begin(name);
    return ready.verdict === 'ready' ? texts.ready(name) : texts.nearly(name);
  }
}

/** The button after the last step: fixes what «Pronta?» has left, or hands over the code. */
function LastAction({ ready }: Pick<ChecklistData, 'ready'>) {
  const red = ready.reasons.find(({ level }) => level === 'red');
  return (
    <Button
      component={Link}
      to={red === undefined ? '/admin/token' : { pathname: red.page, hash: red.part ?? '' }}
      size="md"
    >
      {red === undefined ? texts.handOver : texts.mend}
    </Button>
  );
}

type ReadinessProps = Pick<ChecklistData, 'ready'> & { redOnly?: boolean };

/** What keeps the evening from being ready, with a link to the whole list. */
function Readiness({ ready: { reasons }, redOnly = false }: ReadinessProps) {
  const { andMore, open, allChecked, goTo } = readinessPageTexts;
  const [first, ...others] = reasons.filter(({ level }) => level === 'red');
  if (first === undefined && redOnly) return null;
  const amber = reasons.length > 0 ? open(reasons.length) : allChecked;
  return (
    <Link to="/admin/pronta" className={styles.line}>
      <span>
        {first === undefined ? amber : reasonTexts[first.id]}{' '}
        {others.length > 0 && `${andMore(others.length)} `}
        <u>{goTo(adminPageTexts['/admin/pronta'].title)}</u>
      </span>
    </Link>
  );
}

/** Result of the latest phone test, with a link to its page. */
function PhoneReady() {
  const phone = useQuery(queries.diagnosis.list.queryOptions()).data?.phones[0];
  if (phone === undefined) return null;
  const whose = phone.nome === '' ? diagnosisAdminTexts.unnamed : phone.nome;
  return (
    <Link to="/admin/telefoni" className={styles.line}>
      <u>{verdictText(phone.verdict, whose)}</u>
    </Link>
  );
}
