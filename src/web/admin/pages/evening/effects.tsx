import { Alert, Button, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { closingTime, isSiteClosed, isTooEarly } from '../../../../domain/access.ts';
import { isBlank } from '../../../../domain/blank.ts';
import { italianDayOf } from '../../../../domain/days.ts';
import { eveningTime, isKeepsakeOpen } from '../../../../domain/evening.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { fillName } from '../../../../domain/recipient-name.ts';
import { footerSentence } from '../../../../texts/access.ts';
import { eveningPageTexts } from '../../../../texts/admin/evening.ts';
import { readinessSentences, reasonTexts } from '../../../../texts/admin/readiness.ts';
import { longDay, longMoment } from '../../../../texts/dates.ts';
import { dayAndHour, tooEarly } from '../../../../texts/opening-time.ts';
import { IconAlertTriangle, IconCopy } from '../../../ui/icons/icons.tsx';
import { queries } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { copyText } from '../../components/copy-text.tsx';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import { Loading } from '../../components/loading.tsx';
import { NotPublicNotice } from '../../components/not-online.tsx';
import { useSiteAddress } from '../../site-address.ts';
import { useSignedIn } from '../../use-signed-in.ts';

/* Effects of the typed values, shown before they are saved. */

/** A text as the visitor will read it. */
export function VisitorPreview({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Stack component="figure" gap={6} m={0}>
      <Text component="figcaption" size="sm" c="dimmed">
        {label}
      </Text>
      <Paper withBorder px="lg" py="md" bg="var(--card)">
        <Stack gap={4} fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Stack>
      </Paper>
    </Stack>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <Alert color="yellow" role="status" icon={<IconAlertTriangle aria-hidden />}>
      {children}
    </Alert>
  );
}

/** The typed dates as they would be stored. */
export type EveningDates = Pick<ConfigRecord, 'data_laurea' | 'opens_at' | 'keepsake_until'>;
type DatesProps = { dates: EveningDates; now: Date };

/** In this device's time zone. */
const withYear = (moment: string) => dayAndHour(moment, undefined, 'numeric');

/** When codes become valid, and the text for an early visitor. */
export function Opening({ dates: { opens_at, data_laurea }, now }: DatesProps) {
  const texts = eveningPageTexts.opening;
  if (opens_at === null) return <Text>{texts.none}</Text>;
  if (!isTooEarly(opens_at, now)) return <Warning>{texts.past(withYear(opens_at))}</Warning>;
  return (
    <>
      {isSiteClosed(data_laurea, new Date(opens_at)) ? (
        <Warning>{readinessSentences.opening_before_closing.lacks}</Warning>
      ) : (
        <Text role="status">{texts.until(withYear(opens_at))}</Text>
      )}
      <VisitorPreview label={texts.preview}>
        <span>{tooEarly(dayAndHour(opens_at))}</span>
      </VisitorPreview>
    </>
  );
}

type OccasionProps = DatesProps & { footer_text: string | null; saved: string | null };

/** When the site closes, and the footer of the access screen. @param saved the stored day */
export function Occasion({ dates: { data_laurea }, now, footer_text, saved }: OccasionProps) {
  const texts = eveningPageTexts.occasion;
  const closed = isSiteClosed(data_laurea, now);
  const moment = longMoment(closingTime(data_laurea) ?? now);
  const closing = data_laurea === saved ? texts.closed : texts.willBeClosed;
  return (
    <>
      {closed ? (
        <Warning>{closing(moment)}</Warning>
      ) : (
        <Text>{data_laurea === null ? texts.never : texts.closes(moment)}</Text>
      )}
      <VisitorPreview label={texts.preview}>
        <span>
          {footerSentence({ data_laurea, closed, footer_text: footer_text && fillName(footer_text, null) }) ||
            texts.nothing}
        </span>
      </VisitorPreview>
    </>
  );
}

/** Until when the evening can be viewed again, and what contradicts it. */
export function Keepsake({ dates, now }: DatesProps) {
  const texts = eveningPageTexts.keepsake;
  const { keepsake_until: until, data_laurea } = dates;
  if (until === null) return <Text>{texts.none}</Text>;
  if (!isKeepsakeOpen(until, now)) return <Warning>{texts.past}</Warning>;
  const evening = eveningTime(dates);
  if (evening !== null && until < italianDayOf(new Date(evening.begins)))
    return <Warning>{reasonTexts.keepsake_before}</Warning>;
  const closing = closingTime(data_laurea);
  return (
    <>
      <Text>{texts.until(longDay(until))}</Text>
      {closing !== null && italianDayOf(closing) <= until && (
        <Warning>{texts.afterClosing(longMoment(closing))}</Warning>
      )}
    </>
  );
}

/** Maximum number of proposals. */
const MAX_PROPOSALS = 3;

type ProposedNamesProps = { typed: string; choose: (name: string) => void };

/**
 * Proposes the codes' names while the field is empty. A name is only used after a tap, because it may be a private label
 * (decision 024).
 */
export function ProposedNames({ typed, choose }: ProposedNamesProps) {
  const texts = eveningPageTexts.recipient;
  const { data: codes = [], isPending } = useQuery(queries.tokens.list.queryOptions());
  const fits = (nome: string) => !isBlank(nome) && [...nome].length <= MAX_LENGTH.recipientName;
  const names = [...new Set(codes.map(({ nome }) => nome.trim()))].filter(fits).slice(0, MAX_PROPOSALS);
  if (!isBlank(typed)) return null;
  if (isPending) return <Loading shape="rows" count={1} />;
  if (names.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label={texts.proposals}>
      <Text c="dimmed">{texts.proposals}</Text>
      {names.map((name) => (
        <Button key={name} variant="light" onClick={() => choose(name)}>
          {texts.propose(name)}
        </Button>
      ))}
    </Group>
  );
}

/** The address the visitor opens. It can be copied here; the installation sets it. */
export function Address() {
  const texts = eveningPageTexts.address;
  const address = useSiteAddress();
  const isConfigured = useSignedIn().data?.public_url != null;
  return (
    <Card title={texts.title} hint={texts.hint}>
      <Code block fz="md" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {address.href}
      </Code>
      <NotPublicNotice hasLink />
      <Text size="sm" c="dimmed">
        {isConfigured ? texts.set : texts.found}
      </Text>
      <Button
        variant="default"
        leftSection={<IconCopy size={18} aria-hidden />}
        onClick={() => void copyText(address.href, texts.copied)}
      >
        {texts.copy}
      </Button>
    </Card>
  );
}
