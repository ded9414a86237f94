import { Text, VisuallyHidden } from '@mantine/core';
import type { SessionRecord } from '../../../../contract/admin/sessions.ts';
import { sessionsTexts } from '../../../../texts/admin/sessions.ts';
import styles from './stage-line.module.css';
import { pointReached, type Stop, stopLabel, stopState } from './stages.ts';

/** The stages of a living visit as a line of dots; the present one is alive. */
export function StageLine({ session }: { session: SessionRecord }) {
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

function Dot({ stop, state }: { stop: Stop; state: ReturnType<typeof stopState> }) {
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
