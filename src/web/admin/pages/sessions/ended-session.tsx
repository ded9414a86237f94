import type { SessionRecord } from '../../../../contract/admin/logs.ts';
import { DEVICE_ID_SHOWN } from '../../../../domain/limits.ts';
import { exitPointTexts } from '../../../../texts/admin/logs.ts';
import { reasonLabel, sessionsTexts } from '../../../../texts/admin/sessions.ts';
import { shorten } from '../../components/live-table/shorten.ts';
import { Fact, Facts, Moment } from './facts.tsx';
import { SessionCard } from './session-card.tsx';
import { pointReached } from './stages.ts';

type EndedSessionProps = { session: SessionRecord; nome: string | undefined; now: Date };

/** An ended visit: the reason of its end, and the position reached. */
export function EndedSession({ session, nome, now }: EndedSessionProps) {
  const { started_at, disconnected_at, disconnection_reason, completed_at, exit_point, device_id } = session;
  const completed = completed_at !== null;
  return (
    <SessionCard session={session} nome={nome}>
      <Facts>
        <Fact name={sessionsTexts.started}>
          <Moment at={started_at} now={now} />
        </Fact>
        {disconnected_at !== null && (
          <Fact name={sessionsTexts.closed}>
            <Moment at={disconnected_at} now={now} />
          </Fact>
        )}
        <Fact name={sessionsTexts.reason}>{reasonLabel(disconnection_reason, completed)}</Fact>
        <Fact name={sessionsTexts.reached}>
          {pointReached(session)}
          <br />
          {completed ? sessionsTexts.completed : sessionsTexts.unfinished}
          {exit_point !== null && sessionsTexts.left(exitPointTexts[exit_point])}
        </Fact>
        <Fact name={sessionsTexts.deviceId}>{shorten(device_id, DEVICE_ID_SHOWN.sessions)}</Fact>
      </Facts>
    </SessionCard>
  );
}
