import { createActor, SimulatedClock } from 'xstate';
import type { Viaggio } from '../../../src/domain/content.ts';
import { createOutbox } from '../../../src/experience/outbox.ts';
import type { ChosenAnswers, ExperiencePorts } from '../../../src/experience/ports.ts';
import {
  currentPhrase,
  currentStage,
  exitReason,
  screenOf,
  thanksOf,
} from '../../../src/experience/selectors.ts';
import { visitMachine } from '../../../src/experience/visit-machine.ts';
import type { Server } from './server.ts';

/** The phone's storage; it survives a page. */
export type Device = Map<string, ChosenAnswers>;

export type Options = {
  device?: Device;
  clock?: SimulatedClock;
  hidden?: boolean;
  fontsReady?: boolean;
  random?: () => number;
  rehearsal?: { speed: number };
};

/** Simulated time between two samples of the evening, in ms; all times of the product are multiples of it. */
const TICK_MS = 50;

export type Evening = ReturnType<typeof openPage>;

/** One page of the visit: the real chart and outbox, a simulated clock, and a log of all effects with their times. */
export function openPage(
  server: Server,
  {
    device = new Map(),
    clock = new SimulatedClock(),
    hidden = false,
    fontsReady = true,
    random = () => 0,
    rehearsal,
  }: Options = {},
) {
  const log: { at: number; call: string; detail?: unknown }[] = [];
  const note = (call: string) => (detail?: unknown) => void log.push({ at: clock.now(), call, detail });
  const outbox = createOutbox({
    send: server.position,
    random,
    later: (ms, callback) => {
      const id = clock.setTimeout(callback, ms);
      return () => clock.clearTimeout(id);
    },
    onEvent: (event) => actor.send(event),
  });
  const ports: ExperiencePorts = {
    now: () => clock.now(),
    random,
    resume: server.resume,
    sendAnswers: (answers) => (note('sendAnswers')(answers), server.answers(answers)),
    complete: () => (note('complete')(), server.complete()),
    reportPosition: (position) => (note('report')(position), outbox.report(position)),
    trackExit: note('trackExit'),
    reportError: note('reportError'),
    notify: note('notify'),
    answerStore: storeOf(device),
    song: { start: note('song.start'), fade: note('song.fade'), stop: note('song.stop') },
    video: { stop: note('video.stop') },
  };
  const actor = createActor(visitMachine, {
    clock,
    input: { ports, hidden, fontsReady, ...(rehearsal && { rehearsal }) },
  });
  const screens: { at: number; screen: string }[] = [];
  actor.subscribe((snapshot) => {
    const screen = labelOf(snapshot);
    if (screens.at(-1)?.screen !== screen) screens.push({ at: clock.now(), screen });
  });
  actor.start();

  async function pass(ms: number): Promise<void> {
    await settle();
    for (let passed = 0; passed < ms; passed += TICK_MS) {
      clock.increment(Math.min(TICK_MS, ms - passed));
      await settle();
    }
  }

  return {
    server,
    clock,
    actor,
    outbox,
    log,
    screens,
    device,
    pass,
    send: actor.send.bind(actor),
    snapshot: () => actor.getSnapshot(),
    screen: () => screenOf(actor.getSnapshot()),
    /** Each confirmation of the sent answers. */
    thanks: () => screens.map(({ screen }) => screen).filter((screen) => screen.startsWith('thanks')),
    calls: (call: string) => log.filter((entry) => entry.call === call),
    isOver: () => exitReason(actor.getSnapshot()) !== null,
    /** Ends the page without an event, like a reload or a crash. */
    close: () => (outbox.close(), actor.stop()),
  };
}

/** Returns a state as a timeline line: the screen, its trip, its phrase. */
function labelOf(snapshot: ReturnType<Evening['actor']['getSnapshot']>): string {
  const stage = currentStage(snapshot);
  const phrase = currentPhrase(snapshot);
  if (snapshot.matches({ evening: 'completing' })) return 'completing';
  if (stage === null) return screenOf(snapshot);
  const thanks = thanksOf(snapshot);
  if (thanks !== null) return `thanks ${stage.content.viaggio}${thanks.bothYes ? ', both yes' : ''}`;
  const name = `${stage.content.stage} ${stage.content.viaggio}`;
  return phrase === null ? name : `${name}: ${phrase.text}${phrase.resting ? ' …' : ''}`;
}

/** Waits until pending promises and their callbacks have run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const key = (session_id: string, viaggio: Viaggio) => `${session_id}/${viaggio}`;

function storeOf(device: Device): ExperiencePorts['answerStore'] {
  return {
    load: (session_id, viaggio) => device.get(key(session_id, viaggio)) ?? {},
    save: (session_id, viaggio, chosen) => void device.set(key(session_id, viaggio), chosen),
    clear: (session_id, viaggio) => void device.delete(key(session_id, viaggio)),
  };
}
