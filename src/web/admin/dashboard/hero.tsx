import { Button, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { firstMissingStep, isChecklistComplete } from '../../../domain/checklist.ts';
import { daysUntil } from '../../../domain/days.ts';
import { recipientName } from '../../../domain/recipient-name.ts';
import { checklistStepAction, checklistTexts as texts } from '../../../texts/admin/checklist.ts';
import { commonTexts } from '../../../texts/admin/common.ts';
import { diagnosisAdminTexts } from '../../../texts/admin/diagnosis.ts';
import { readinessTexts } from '../../../texts/admin/readiness.ts';
import { reasonTexts } from '../../../texts/admin/readiness-verdict.ts';
import { siteAddressTexts } from '../../../texts/admin/site-address.ts';
import { verdictText } from '../../../texts/diagnosis.ts';
import { queries } from '../api.ts';
import { ErrorState } from '../components/error-state.tsx';
import { useNow } from '../components/live-table/use-now.ts';
import { useLoadingMarker } from '../components/loading.tsx';
import { type ChecklistData, useChecklist } from '../components/path/use-path.ts';
import { useErrorToast } from '../components/use-error-toast.ts';
import { EveningProgress } from './begun.tsx';
import { useEvening } from './evening.ts';
import styles from './hero.module.css';
import { Checklist, ChecklistSkeleton } from './strip.tsx';

/** Interval in ms at which the phase is recomputed, because codes expire and days pass. */
const POLL_MS = 30_000;

/**
 * Top of the dashboard. Before the evening: a sentence, the checklist and one button. During it: the visitor's scene. After it:
 * the answers.
 */
export function Hero() {
  const now = useNow(POLL_MS);
  const { evening, failed } = useEvening(now);
  const path = useChecklist();
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
        <EveningProgress evening={evening} now={now} />
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
  const next = isChecklistComplete(scenes)
    ? undefined
    : (firstMissingStep(scenes) ?? scenes.find(({ needed }) => needed));
  return (
    <>
      <Title order={2} className={styles.sentence}>
        {sentenceOf(path, now)}
      </Title>
      <Checklist scenes={scenes} snapshot={snapshot} next={next} />
      <div className={styles.onward}>
        {next === undefined ? (
          <CompleteActions ready={path.ready} />
        ) : (
          <>
            <Button component={Link} to={{ pathname: next.page, hash: next.part }} size="md">
              {checklistStepAction(next)}
            </Button>
            <Text className={styles.place}>{texts.step(scenes.indexOf(next) + 1, scenes.length)}</Text>
          </>
        )}
      </div>
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
    if (!isChecklistComplete(scenes))
      return scenes.some(({ state }) => state !== 'missing') ? texts.going(name) : texts.begin(name);
    return ready.verdict === 'ready' ? texts.ready(name) : texts.nearly(name);
  }
}

/** Next action for a complete checklist: fix the first red reason, or hand over the code and rehearse. */
function CompleteActions({ ready }: Pick<ChecklistData, 'ready'>) {
  const red = ready.reasons.find(({ level }) => level === 'red');
  if (red !== undefined)
    return (
      <>
        <Button component={Link} to={{ pathname: red.page, hash: red.part ?? '' }} size="md">
          {red.page === '/admin/rete' ? siteAddressTexts.notices.lead : texts.mend}
        </Button>
        <Text>{reasonTexts[red.id]}</Text>
      </>
    );
  return (
    <>
      <Button component={Link} to="/admin/token" size="md">
        {readinessTexts.handOver}
      </Button>
      <Button component={Link} to="/admin/preview" variant="subtle" size="md" px={0}>
        {readinessTexts.rehearse}
      </Button>
    </>
  );
}

/** Result of the latest phone test, with a link to its page. */
function PhoneReady() {
  const phone = useQuery(queries.diagnosis.list.queryOptions()).data?.phones[0];
  if (phone === undefined) return null;
  const whose = phone.nome === '' ? diagnosisAdminTexts.unnamed : phone.nome;
  return (
    <Link to="/admin/telefoni" className={styles.phoneReady}>
      {verdictText(phone.verdict, whose)}
    </Link>
  );
}
