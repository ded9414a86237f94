import { Anchor, Button, List, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ReadinessReport } from '../../../../contract/admin/dashboard.ts';
import { isStepReason } from '../../../../domain/checklist.ts';
import type { TicketSlot } from '../../../../domain/media.ts';
import { reasonTarget } from '../../../../domain/readiness-reasons.ts';
import { diagnosisAdminTexts } from '../../../../texts/admin/diagnosis.ts';
import { momentOf } from '../../../../texts/admin/formats.ts';
import { adminPageTexts, titleAt } from '../../../../texts/admin/pages.ts';
import {
  readinessSentences,
  reasonTexts,
  readinessPageTexts as texts,
} from '../../../../texts/admin/readiness.ts';
import { verdictText } from '../../../../texts/diagnosis.ts';
import { IconAlertCircle, IconCircleCheck, IconHelpCircle } from '../../../ui/icons/icons.tsx';
import { toastError } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { DoubtfulPages } from '../../components/media/list/ticket-findings.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { messageOf } from '../../failure.ts';
import styles from './page.module.css';

const { title, description } = adminPageTexts['/admin/pronta'];

/** Poll interval during a check, in ms. */
const POLL_MS = 1_500;

/** `/admin/pronta`: the verdict, its reasons, and links to fix each. */
export function Page() {
  const answer = useQuery(
    queries.ready.read.queryOptions({
      refetchInterval: ({ state }) => (state.data?.progress == null ? false : POLL_MS),
    }),
  );
  return (
    <PageFrame title={title} description={description}>
      <Loaded query={answer} loadFailed={texts.loadFailed} shape="cards">
        {(ready) => (
          <>
            <Answer ready={ready} />
            {ready.verdict !== 'over' && (
              <>
                <Reasons ready={ready} />
                <Phones />
                <InPlace prepared={ready.prepared} />
              </>
            )}
          </>
        )}
      </Loaded>
    </PageFrame>
  );
}

const ANSWERS = { ready: texts.ready, not_ready: texts.notReady, over: texts.over } as const;

function Answer({ ready }: { ready: ReadinessReport }) {
  return (
    <Paper withBorder p="lg" className={ready.verdict === 'not_ready' ? styles.not : styles.ready}>
      <Stack gap="sm">
        <div role="status">
          <Title order={2} className={styles.answer}>
            {ANSWERS[ready.verdict]}
          </Title>
          <Text size="lg">{sentenceOf(ready)}</Text>
        </div>
        {ready.verdict === 'over' ? (
          <Button component={Link} to="/admin/token" variant="default" w="fit-content">
            {texts.goTo(adminPageTexts['/admin/token'].title)}
          </Button>
        ) : (
          <CheckStatus ready={ready} />
        )}
      </Stack>
    </Paper>
  );
}

function sentenceOf({ verdict, reasons }: ReadinessReport): string {
  if (verdict === 'over') return texts.repeatHint;
  const red = reasons.filter(({ level }) => level === 'red').length;
  if (red > 0) return texts.red(red);
  return reasons.length > 0 ? texts.open(reasons.length) : texts.allChecked;
}

/** Time or progress of the check, and a button to start it. */
function CheckStatus({ ready: { asked_at, progress } }: { ready: ReadinessReport }) {
  const check = useMutation({
    mutationFn: () => api.ready.check(),
    onError: (error) => toastError(messageOf(error, texts.checkFailed)),
    onSettled: (_done, _failed, _variables, _result, { client }) =>
      client.invalidateQueries({ queryKey: queries.ready.key() }),
  });
  const working = progress !== null || check.isPending;
  return (
    <Stack gap="xs" align="flex-start">
      <BusyButton working={working} onClick={() => check.mutate()}>
        {texts.check}
      </BusyButton>
      {progress === null ? (
        <Text c="dimmed">
          {asked_at === null ? texts.neverChecked : texts.lastChecked(momentOf(asked_at))}
        </Text>
      ) : (
        <CheckProgress progress={progress} />
      )}
      <Text c="dimmed" size="sm" maw="40rem">
        {texts.checkExplanation}
      </Text>
    </Stack>
  );
}

function CheckProgress({
  progress: { done, total },
}: {
  progress: NonNullable<ReadinessReport['progress']>;
}) {
  const words = total === 0 ? texts.waiting : texts.checking(done, total);
  return (
    <Stack gap={4} w="100%">
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={texts.check} />
      <Text c="dimmed">{words}</Text>
    </Stack>
  );
}

/** Results of the phone tests. A missing test is among the reasons. */
function Phones() {
  const phones = useQuery(queries.diagnosis.list.queryOptions()).data?.phones ?? [];
  if (phones.length === 0) return null;
  return (
    <Stack component="section" gap="xs">
      <Title order={2} size="h4">
        {texts.phones}
      </Title>
      <List>
        {phones.map(({ id, nome, verdict }) => (
          <List.Item key={id}>
            {verdictText(verdict, nome === '' ? diagnosisAdminTexts.unnamed : nome)}
          </List.Item>
        ))}
      </List>
      <Anchor component={Link} to="/admin/telefoni">
        {texts.openPhones}
      </Anchor>
    </Stack>
  );
}

/** Everything that is in place, with links to its pages. */
function InPlace({ prepared }: Pick<ReadinessReport, 'prepared'>) {
  const done = prepared.filter(({ state }) => state === 'ready');
  if (done.length === 0) return null;
  return (
    <details className={styles.inPlace}>
      <summary>{texts.inPlace(done.length)}</summary>
      <ul className={styles.reasons}>
        {done.map(({ id, page }) => (
          <li key={id} className={styles.reason}>
            <IconCircleCheck size={24} className={styles.green} aria-hidden />
            <Link to={{ pathname: page, hash: reasonTarget(id).part ?? '' }} className={styles.there}>
              {readinessSentences[id].there}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

type Reason = ReadinessReport['reasons'][number];

/** Problems, optional parts and unknown items as sentences, with links to fix each. */
function Reasons({ ready: { reasons, prepared } }: { ready: ReadinessReport }) {
  const isOptional = ({ id }: Reason) =>
    isStepReason(id) || prepared.some((item) => item.id === id && item.state === 'advice');
  const red = reasons.filter(({ level }) => level === 'red');
  const amber = reasons.filter(({ level }) => level === 'amber');
  return (
    <>
      <ReasonList title={texts.toFix} reasons={red} />
      <ReasonList title={texts.optional} reasons={amber.filter(isOptional)} />
      <ReasonList title={texts.unknown} reasons={amber.filter((reason) => !isOptional(reason))} />
    </>
  );
}

const ICONS = { red: IconAlertCircle, amber: IconHelpCircle } as const;

function ReasonList({ title, reasons }: { title: string; reasons: readonly Reason[] }) {
  if (reasons.length === 0) return null;
  return (
    <Stack component="section" gap="md">
      <Title order={2} size="h4">
        {title}
      </Title>
      <ul className={styles.reasons}>
        {reasons.map((reason) => (
          <li key={reason.id} className={styles.reason}>
            <LevelIcon level={reason.level} />
            <Stack gap="xs" align="flex-start">
              <Text>{reasonTexts[reason.id]}</Text>
              <Pages id={reason.id} />
              <FixLink reason={reason} />
            </Stack>
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function LevelIcon({ level }: Pick<Reason, 'level'>) {
  const Icon = ICONS[level];
  return <Icon size={24} className={styles[level]} role="img" aria-label={texts.levels[level]} />;
}

const TICKETS: Partial<Record<Reason['id'], TicketSlot>> = {
  tickets_1_unreadable: 'biglietti',
  tickets_1_font: 'biglietti',
  tickets_2_unreadable: 'biglietti_2',
  tickets_2_font: 'biglietti_2',
};

/** The ticket pages concerned by a reason. */
function Pages({ id }: Pick<Reason, 'id'>) {
  const slot = TICKETS[id];
  return slot === undefined ? null : <DoubtfulPages slot={slot} />;
}

/** Link to the page that fixes a reason. Reasons that a new check fixes have none; its button is above. */
function FixLink({ reason: { page, part } }: { reason: Reason }) {
  const title = titleAt(page);
  if (title === undefined || page === '/admin/pronta') return null;
  return (
    <Button component={Link} to={{ pathname: page, hash: part ?? '' }} variant="default">
      {texts.goTo(title)}
    </Button>
  );
}
