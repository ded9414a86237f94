import { Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { EventRecord } from '../../../../contract/admin/logs.ts';
import { DEVICE_ID_SHOWN } from '../../../../domain/limits.ts';
import { eventSentence, NOT_AVAILABLE } from '../../../../texts/admin/events.ts';
import { logsTexts } from '../../../../texts/admin/logs.ts';
import { momentOf } from '../../../../texts/admin/times.ts';
import { longMoment } from '../../../../texts/dates.ts';
import { deviceOf } from '../../kit/live-table/device.ts';
import { EventBadge } from '../../kit/live-table/event-badge.tsx';
import { shorten } from '../../kit/live-table/shorten.ts';
import styles from './page.module.css';

/** An event in one sentence; a tap opens what was stored of it. */
export function EventEntry({ event }: { event: EventRecord }) {
  const { event_type, token_value, device_id, user_agent, success, error_message, created_at } = event;
  const sentence = eventSentence(event);
  const unsaid = error_message !== null && !sentence.includes(error_message);
  const failed = unsaid ? `${logsTexts.failed}: ${error_message}` : logsTexts.failed;
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
          {!success && (
            <Text size="sm" c="var(--mantine-color-error)">
              {failed}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {token_value ?? NOT_AVAILABLE} ·{' '}
            {device_id === null ? NOT_AVAILABLE : shorten(device_id, DEVICE_ID_SHOWN.logs)}
            {user_agent !== null && ` · ${deviceOf(user_agent).words}`}
          </Text>
        </div>
        <IconChevronDown size={18} className={styles.chevron} aria-hidden />
      </summary>
      <pre className={styles.raw} aria-label={logsTexts.details}>
        {JSON.stringify(event, null, 2)}
      </pre>
    </details>
  );
}
