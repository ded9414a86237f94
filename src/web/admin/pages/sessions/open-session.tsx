import type { SessionRecord } from '../../../../contract/admin/sessions.ts';
import { DEVICE_ID_SHOWN } from '../../../../domain/limits.ts';
import { sessionsTexts } from '../../../../texts/admin/sessions.ts';
import { shorten } from '../../components/live-table/shorten.ts';
import { Fact, Facts, Moment } from './facts.tsx';
import { SessionCard } from './session-card.tsx';
import { StageLine } from './stage-line.tsx';

type OpenSessionProps = { session: SessionRecord; nome: string | undefined; now: Date };

/** A visit under way: how far it is, and its last sign of life. */
export function OpenSession({ session, nome, now }: OpenSessionProps) {
  return (
    <SessionCard session={session} nome={nome}>
      <StageLine session={session} />
      <Facts>
        <Fact name={sessionsTexts.started}>
          <Moment at={session.started_at} now={now} />
        </Fact>
        <Fact name={sessionsTexts.lastActivity}>
          <Moment at={session.last_activity} now={now} />
        </Fact>
        <Fact name={sessionsTexts.deviceId}>{shorten(session.device_id, DEVICE_ID_SHOWN.sessions)}</Fact>
      </Facts>
    </SessionCard>
  );
}
