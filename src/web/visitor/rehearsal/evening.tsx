import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Snapshot, Viaggio } from '../../../domain/content.ts';
import { itinerary } from '../../../domain/itinerary.ts';
import { type Position, START } from '../../../domain/stage-content.ts';
import { exitReason, screenOf } from '../../../experience/selectors.ts';
import { useDress } from '../dress.ts';
import { EveningScreen } from '../experience/evening-screen.tsx';
import { endMedia } from '../experience/media.ts';
import { forgetPictures } from '../experience/prefetch.ts';
import { TicketsAddress } from '../experience/tickets-address.ts';
import { useSelector } from '../experience/use-selector.ts';
import { type RunningLocally, startLocalVisit } from '../local/start-local-visit.ts';
import { releaseWakeLock } from '../media-host.ts';
import styles from './bar.module.css';
import { Bar, primeAudio } from './bar.tsx';
import { useBarHost } from './bar-host.ts';
import { End } from './end.tsx';

type Props = {
  content: Snapshot;
  /** Called after the evening was watched from its beginning to its end. */
  onSeen: () => void;
  fast: boolean;
  onPace: (fast: boolean) => void;
  onAgain: () => void;
  onLeave: () => void;
};

/** Runs the evening from its beginning or from its questions, any number of times. */
export function Evening(props: Props) {
  useDress(props.content.config.dress);
  const [run, setRun] = useState({ number: 0, from: START });
  const questions = itinerary(props.content).findIndex(({ stage }) => stage === 'questions');
  const fromQuestions = () => {
    primeAudio();
    setRun({ number: run.number + 1, from: { ...START, step: questions } });
  };
  return (
    <EveningRun
      key={run.number}
      {...props}
      from={run.from}
      onQuestions={questions === -1 ? null : fromQuestions}
    />
  );
}

type EveningRunProps = Props & { from: Position; onQuestions: (() => void) | null };

function EveningRun({ content, from, fast, onSeen, ...rest }: EveningRunProps) {
  const [running, setRunning] = useState<RunningLocally>();
  const [beginning] = useState({ content, from, pace: paceOf(fast) });
  useEffect(() => {
    const started = startLocalVisit(beginning.content, beginning.from, beginning.pace);
    setRunning(started);
    return () => {
      started.stop();
      releaseWakeLock();
      endMedia();
      forgetPictures();
    };
  }, [beginning]);
  useEffect(() => running?.actor.send({ type: 'PACE', pace: paceOf(fast) }), [running, fast]);
  useEffect(() => {
    if (running === undefined || from !== START) return;
    const { unsubscribe } = running.actor.subscribe((now) => {
      if (exitReason(now)?.because !== 'ended') return;
      unsubscribe();
      onSeen();
    });
    return unsubscribe;
  }, [running, from, onSeen]);
  return running === undefined ? null : <Running running={running} fast={fast} {...rest} />;
}

/** Returns the time factor of the flow: 1, or a quarter. */
const paceOf = (fast: boolean) => (fast ? 0.25 : 1);

type RunningProps = Omit<EveningRunProps, 'content' | 'from' | 'onSeen'> & { running: RunningLocally };

function Running({ running: { actor }, fast, onPace, onAgain, onLeave, onQuestions }: RunningProps) {
  const hasEnded = useSelector(actor, (snapshot) => exitReason(snapshot) !== null);
  const overFilm = useSelector(actor, (snapshot) => screenOf(snapshot) === 'video');
  const host = useBarHost(overFilm);
  if (hasEnded) return <End actor={actor} onAgain={onAgain} onLeave={onLeave} onQuestions={onQuestions} />;
  return (
    <>
      {createPortal(
        <Bar actor={actor} fast={fast} onPace={onPace} onAgain={onAgain} onLeave={onLeave} />,
        host,
      )}
      <div className={styles.stage}>
        <TicketsAddress value={rehearsedTickets}>
          <EveningScreen actor={actor} />
        </TicketsAddress>
      </div>
    </>
  );
}

/** Returns the URL of the tickets configured now; the visitor's URL requires the visitor's cookie. */
const rehearsedTickets = (viaggio: Viaggio) => `/api/rehearsal/tickets/${viaggio}/biglietti.pdf`;
