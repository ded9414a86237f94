import { Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SessionRecord } from '../../../../contract/admin/logs.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { sessionsTexts } from '../../../../texts/admin/sessions.ts';
import { queries } from '../../api.ts';
import { ReceivedAnswers } from '../../components/answers/received-answers.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { RefreshButton } from '../../components/live-table/refresh-button.tsx';
import { useNow } from '../../components/live-table/use-now.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { PageSection } from '../../components/place/place.tsx';
import { EndedSession } from './ended-session.tsx';
import { OpenSession } from './open-session.tsx';
import styles from './session-card.module.css';

const { title, description } = adminPageTexts['/admin/sessions'];
/** Update interval of relative times such as «12 secondi fa», in ms. */
const UPDATE_MS = 1_000;

const HIDDEN = { visibility: 'hidden' } as const;

/** `/admin/sessions`: open visits with their position, ended ones (spec 2 «Active sessions»), and the answers. */
export function Page() {
  const list = useQuery(queries.sessions.list.queryOptions());
  const counts = list.data?.conteggi;
  return (
    <PageFrame
      title={title}
      description={description}
      counts={
        // Reserve their space while loading, because on a phone they have a separate line.
        <>
          <Badge size="lg" variant="light" color="green" tt="none" style={counts ? {} : HIDDEN}>
            {sessionsTexts.activeCount(counts?.attive ?? 0)}
          </Badge>
          <Badge size="lg" variant="light" color="gray" tt="none" style={counts ? {} : HIDDEN}>
            {sessionsTexts.endedCount(counts?.terminate ?? 0)}
          </Badge>
        </>
      }
      actions={<RefreshButton label={sessionsTexts.refresh} onRefresh={list.refetch} />}
    >
      <Loaded query={list} loadFailed={sessionsTexts.loadFailed} shape="cards">
        {(data) => <Sessions {...data} />}
      </Loaded>
      <ReceivedAnswers />
    </PageFrame>
  );
}

type SessionsProps = {
  attive: readonly SessionRecord[];
  terminate: readonly SessionRecord[];
  conteggi: { terminate: number };
};

function Sessions({ attive, terminate, conteggi }: SessionsProps) {
  const now = useNow(UPDATE_MS);
  const nameOf = useCodeNames();
  if (attive.length === 0 && terminate.length === 0)
    return <EmptyState drawing="visit" title={sessionsTexts.empty} hint={sessionsTexts.emptyHint} />;
  return (
    <>
      <PageSection title={sessionsTexts.active}>
        {attive.length === 0 ? (
          <Text c="dimmed">{sessionsTexts.nobody}</Text>
        ) : (
          <ul className={styles.list}>
            {attive.map((session) => (
              <li key={session.id}>
                <OpenSession session={session} nome={nameOf(session.token_value)} now={now} />
              </li>
            ))}
          </ul>
        )}
      </PageSection>
      {terminate.length > 0 && (
        <PageSection title={sessionsTexts.ended}>
          <ul className={styles.list}>
            {terminate.map((session) => (
              <li key={session.id}>
                <EndedSession session={session} nome={nameOf(session.token_value)} now={now} />
              </li>
            ))}
          </ul>
          {terminate.length < conteggi.terminate && (
            <Text size="sm" c="dimmed">
              {sessionsTexts.latestOnly(terminate.length, conteggi.terminate)}
            </Text>
          )}
        </PageSection>
      )}
    </>
  );
}

/**
 * Returns a function that maps a code to its name, or to a note that it was deleted. It returns undefined while the codes are
 * loading.
 */
function useCodeNames(): (token_value: string) => string | undefined {
  const { data } = useQuery(queries.tokens.list.queryOptions());
  const names = data && new Map(data.map(({ token, nome }) => [token, nome]));
  return (token_value) => names && (names.get(token_value) ?? sessionsTexts.deletedCode);
}
