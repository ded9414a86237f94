import { Button, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle, IconHelpCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ReadinessReport } from '../../../../contract/admin/readiness.ts';
import { isStepReason } from '../../../../domain/checklist.ts';
import type { TicketSlot } from '../../../../domain/media-slots.ts';
import { titleAt } from '../../../../texts/admin/pages.ts';
import { reasonTexts, readinessPageTexts as texts } from '../../../../texts/admin/readiness-verdict.ts';
import { DoubtfulPages } from '../../components/media/list/ticket-findings.tsx';
import styles from './page.module.css';

type Reason = ReadinessReport['reasons'][number];

/** Problems, optional parts and unknown items as sentences, with links to fix each. */
export function Reasons({ ready: { reasons, prepared } }: { ready: ReadinessReport }) {
  const isOptional = ({ id }: Reason) =>
    isStepReason(id) || prepared.some((item) => item.id === id && item.state === 'advice');
  const red = reasons.filter(({ level }) => level === 'red');
  const amber = reasons.filter(({ level }) => level === 'amber');
  return (
    <>
      <Group title={texts.toFix} reasons={red} />
      <Group title={texts.optional} reasons={amber.filter(isOptional)} />
      <Group title={texts.unknown} reasons={amber.filter((reason) => !isOptional(reason))} />
    </>
  );
}

const ICONS = { red: IconAlertCircle, amber: IconHelpCircle } as const;

function Group({ title, reasons }: { title: string; reasons: readonly Reason[] }) {
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
