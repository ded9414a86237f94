import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { EventRecord } from '../../../contract/admin/logs.ts';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import { eventSentence } from '../../../texts/admin/events.ts';
import { momentOf } from '../../../texts/admin/times.ts';
import styles from './page.module.css';

const texts = dashboardTexts.events;

/** The latest events as sentences. */
export function LatestEvents({ events }: { events: readonly EventRecord[] }) {
  return (
    <Paper withBorder className={styles.panel}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {texts.title}
          </Title>
          <Anchor component={Link} to="/admin/logs" size="sm" underline="always" className={styles.all}>
            {texts.all}
          </Anchor>
        </Group>
        {events.length === 0 ? (
          <Text c="dimmed">{texts.none}</Text>
        ) : (
          <ol className={styles.list}>
            {events.map((event) => (
              <li key={event.id} className={styles.event}>
                <Text className={styles.told}>
                  <EventLine event={event} />
                </Text>
                <time dateTime={event.created_at} className={styles.time}>
                  {momentOf(event.created_at)}
                </time>
              </li>
            ))}
          </ol>
        )}
      </Stack>
    </Paper>
  );
}

/** The sentence with its code unbroken; the code has a hyphen, where lines would break. */
function EventLine({ event }: { event: EventRecord }) {
  const sentence = eventSentence(event);
  const { token_value: code } = event;
  const at = code === null ? -1 : sentence.indexOf(code);
  if (code === null || at === -1) return sentence;
  return (
    <>
      {sentence.slice(0, at)}
      <span className={styles.code}>{code}</span>
      {sentence.slice(at + code.length)}
    </>
  );
}
