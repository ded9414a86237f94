import { Button, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle, IconHelpCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ReadinessReport } from '../../../../contract/admin/readiness.ts';
import type { TicketSlot } from '../../../../domain/media-slots.ts';
import { REASON_LEVELS, type ReasonLevel } from '../../../../domain/readiness-reasons.ts';
import { titleAt } from '../../../../texts/admin/pages.ts';
import { reasonTexts, readinessPageTexts as texts } from '../../../../texts/admin/readiness-verdict.ts';
import { DoubtfulPages } from '../../components/media/list/ticket-findings.tsx';
import styles from './page.module.css';

type Reason = ReadinessReport['reasons'][number];

/** Problems and unknown items as sentences, with links to fix each. */
export function Reasons({ ready: { reasons } }: { ready: ReadinessReport }) {
  return REASON_LEVELS.map((level) => (
    <Level key={level} level={level} reasons={reasons.filter((reason) => reason.level === level)} />
  ));
}

const TITLES: Record<ReasonLevel, string> = { red: texts.toFix, amber: texts.unknown };
const ICONS = { red: IconAlertCircle, amber: IconHelpCircle } as const;

function Level({ level, reasons }: { level: ReasonLevel; reasons: readonly Reason[] }) {
  if (reasons.length === 0) return null;
  const Icon = ICONS[level];
  return (
    <Stack component="section" gap="md">
      <Title order={2} size="h4">
        {TITLES[level]}
      </Title>
      <ul className={styles.reasons}>
        {reasons.map((reason) => (
          <li key={reason.id} className={styles.reason}>
            <Icon size={24} className={styles[level]} role="img" aria-label={texts.levels[level]} />
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
