import { Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { EventRecord } from '../../../../contract/admin/logs.ts';
import { DEVICE_ID_SHOWN } from '../../../../domain/limits.ts';
import { eventSentence } from '../../../../texts/admin/events.ts';
import { logsTexts } from '../../../../texts/admin/logs.ts';
import { momentOf } from '../../../../texts/admin/times.ts';
import { longMoment } from '../../../../texts/dates.ts';
import { deviceOf } from '../../../device.ts';
import { EventBadge } from '../../components/live-table/event-badge.tsx';
import { shorten } from '../../components/live-table/shorten.ts';
import styles from './page.module.css';

/** An event as a sentence, with its stored data in a collapsed part. */
export function EventEntry({ event }: { event: EventRecord }) {
  const { event_type, created_at } = event;
  const sentence = eventSentence(event);
  const failure = failureText(event);
  const facts = extraFacts(sentence, event);
  return (
    <details className={styles.entry}>
      <summary className={styles.row}>
        <time dateTime={created_at} title={longMoment(created_at)} className={styles.moment}>
          {momentOf(created_at)}
        </time>
        <div className={styles.kind}>
          <EventBadge event_type={event_type} />
        </div>
        <div className={styles.told}>
          <Text component="p">{sentence}</Text>
          {failure !== null && (
            <Text size="sm" c="var(--mantine-color-error)">
              {failure}
            </Text>
          )}
          {facts !== '' && (
            <Text size="sm" c="dimmed">
              {facts}
            </Text>
          )}
        </div>
        <IconChevronDown size={18} className={styles.chevron} aria-hidden />
      </summary>
      <pre className={styles.raw} aria-label={logsTexts.details}>
        {JSON.stringify(event, null, 2)}
      </pre>
    </details>
  );
}

/** Returns that the event failed and why, unless the sentence states it. */
function failureText({ event_type, success, error_message }: EventRecord): string | null {
  if (success || event_type === 'access_denied') return null;
  return error_message === null ? logsTexts.failed : `${logsTexts.failed}: ${error_message}`;
}

/** Returns the code, unless the sentence has it, and the device. */
function extraFacts(sentence: string, { token_value, device_id, user_agent }: EventRecord): string {
  const code = token_value !== null && sentence.includes(token_value) ? null : token_value;
  const device = device_id === null ? null : shorten(device_id, DEVICE_ID_SHOWN.logs);
  const machine = user_agent === null ? null : deviceOf(user_agent).words;
  return [code, device, machine].filter((fact) => fact !== null).join(' · ');
}
