import { useEffect, useState } from 'react';
import { createActor, waitFor } from 'xstate';
import type { Snapshot, Viaggio } from '../../domain/content.ts';
import { itinerary, type Step } from '../../domain/itinerary.ts';
import { type Answers, visibleVisit } from '../../domain/stage-content.ts';
import type { ChosenAnswers, ExperiencePorts } from '../../experience/ports.ts';
import { screenOf } from '../../experience/selectors.ts';
import { type VisitActor, visitMachine } from '../../experience/visit-machine.ts';
import { EveningScreen } from '../visitor/experience/evening-screen.tsx';
import { noticePort } from '../visitor/experience/notices.ts';

/** Time factor of the flow: slow enough to inspect a stage indefinitely. */
const PAUSED_SPEED = 1_000;

export type EveningPosition = {
  content: Snapshot;
  at: Step;
  phrase?: number;
  answers?: [Viaggio, Answers][];
  /** Answers already locked on the device. */
  chosen?: ChosenAnswers;
};

export type Calls = Partial<Pick<ExperiencePorts, 'resume' | 'sendAnswers'>>;

type Props = {
  place: EveningPosition;
  calls?: Calls;
  /** Called once the stage is on. */
  act?: (actor: VisitActor) => void;
};

/** Renders the real evening, chart and screens, stopped at one position. */
export function EveningAt({ place, calls, act }: Props) {
  const [actor, setActor] = useState<VisitActor>();
  // A scene is rendered once; its input never changes.
  const [scene] = useState({ place, calls, act });
  useEffect(() => {
    const started = startEvening(scene.place, scene.calls);
    setActor(started);
    const isOn = waitFor(started, (snapshot) => screenOf(snapshot) === scene.place.at.stage);
    isOn.then(() => scene.act?.(started)).catch(console.warn);
    return () => {
      started.stop();
    };
  }, [scene]);
  return actor === undefined ? null : <EveningScreen actor={actor} />;
}

function startEvening(place: EveningPosition, calls?: Calls): VisitActor {
  const ports: ExperiencePorts = { ...mockPorts(place), ...calls };
  const input = { ports, hidden: false, fontsReady: true, rehearsal: { speed: PAUSED_SPEED } };
  return createActor(visitMachine, { input }).start();
}

function mockPorts(place: EveningPosition): ExperiencePorts {
  const nothing = () => {};
  const never = () => new Promise<never>(nothing);
  return {
    now: () => performance.now(),
    random: Math.random,
    resume: async () => ({ ok: true, value: visitAt(place) }),
    sendAnswers: never,
    complete: never,
    reportPosition: nothing,
    trackExit: nothing,
    reportError: nothing,
    notify: noticePort(),
    answerStore: { load: () => place.chosen ?? {}, save: nothing, clear: nothing },
    song: { start: nothing, fade: nothing, stop: nothing },
    video: { stop: nothing },
  };
}

/** Returns the visit that the server would send at this position. */
export function visitAt({ content: snapshot, at, phrase = 0, answers = [] }: EveningPosition) {
  const steps = itinerary(snapshot);
  const step = steps.findIndex(({ stage, viaggio }) => stage === at.stage && viaggio === at.viaggio);
  if (step === -1) throw new Error(`This evening has no ${at.stage} of trip ${at.viaggio}`);
  const position = { step, phrase, second: 0 };
  const placeholderIds = { session_id: 'scene', token_id: 'scene', token_value: 'scene' };
  return { ...placeholderIds, ...visibleVisit({ snapshot, steps, position, answers: new Map(answers) }) };
}
