import { Text, VisuallyHidden } from '@mantine/core';
import type { SessionRecord } from '../../../../contract/admin/logs.ts';
import { DEVICE_ID_SHOWN } from '../../../../domain/limits.ts';
import { sessionsTexts } from '../../../../texts/admin/sessions.ts';
import { shorten } from '../../components/live-table/shorten.ts';
import { Fact, Facts, Moment } from './facts.tsx';
import { SessionCard } from './session-card.tsx';
import styles from './stage-line.module.css';
import { pointReached, type StageStop, stopLabel, stopState } from './stages.ts';

type OpenSessionProps = { session: SessionRecord; nome: string | undefined; now: Date };

/** An open visit: its position and last activity. */
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

/** The stages of an open visit as a line of dots; the present one is animated. */
function StageLine({ session }: { session: SessionRecord }) {
  const { stages, position, background } = session;
  return (
    <div>
      <ol className={styles.line} aria-label={sessionsTexts.progress}>
        {stages.map((stop, index) => (
          <Dot key={`${stop.stage}${stop.viaggio}`} stop={stop} state={stopState(index, position.step)} />
        ))}
      </ol>
      <Text size="sm" mt={6}>
        <strong>{pointReached(session)}</strong>
        {position.step < stages.length && ` · ${sessionsTexts.step(position.step + 1, stages.length)}`}
        {background && ` · ${sessionsTexts.background}`}
      </Text>
    </div>
  );
}

function Dot({ stop, state }: { stop: StageStop; state: ReturnType<typeof stopState> }) {
  const label = stopLabel(stop);
  return (
    <li
      className={styles.stop}
      title={label}
      data-state={state}
      data-trip={stop.viaggio}
      aria-current={state === 'present' ? 'step' : undefined}
    >
      <span className={styles.dot} aria-hidden />
      <VisuallyHidden>{`${label}: ${sessionsTexts.states[state]}`}</VisuallyHidden>
    </li>
  );
}
