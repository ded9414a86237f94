import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { Visit } from '../../src/contract/visit.ts';
import { EXIT_POINTS } from '../../src/domain/itinerary.ts';
import {
  currentPhrase,
  currentStage,
  exitPointOf,
  exitReason,
  screenOf,
} from '../../src/experience/selectors.ts';
import { anyEvening, anyTroubles, type Trouble } from './support/arbitraries.ts';
import { type Device, type Evening, openPage } from './support/evening.ts';
import { type Server, serverOf } from './support/server.ts';
import { live } from './support/visitor.ts';

const VISITOR = { videoSeconds: 7, answers: [true, false] } as const;

test("shows every stage of any evening in order, stores each trip's answers once, and ends", async () => {
  await fc.assert(
    fc.asyncProperty(anyEvening, async (snapshot) => {
      const server = serverOf(snapshot);
      const page = openPage(server);
      const seen: number[] = [];
      page.actor.subscribe((now) => {
        const step = currentStage(now)?.step;
        if (step !== undefined && seen.at(-1) !== step) seen.push(step);
      });
      await live(page, { visitor: VISITOR });
      expect(seen).toEqual(server.steps.map((_, step) => step));
      expect(server.state.stored.map(({ viaggio }) => viaggio)).toEqual(tripsWithQuestions(server));
      expect(server.state.completed).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('loses and repeats nothing on a phone that hides, reloads and loses its network', async () => {
  await fc.assert(
    fc.asyncProperty(anyEvening, anyTroubles, async (snapshot, troubles) => {
      const server = serverOf(snapshot);
      const shown = await liveWith(server, troubles);
      expect([...shown].toSorted((a, b) => a - b)).toEqual(server.steps.map((_, step) => step));
      expect(server.state.stored.map(({ viaggio }) => viaggio)).toEqual(tripsWithQuestions(server));
    }),
    { numRuns: 100 },
  );
});

const tripsWithQuestions = ({ steps }: Server) =>
  steps.filter(({ stage }) => stage === 'questions').map(({ viaggio }) => viaggio);

/** Runs an evening through its troubles, with as many pages as needed; returns the steps that were on screen. */
async function liveWith(server: Server, troubles: readonly Trouble[]): Promise<Set<number>> {
  const [device, clock, shown]: [Device, SimulatedClock, Set<number>] = [
    new Map(),
    new SimulatedClock(),
    new Set(),
  ];
  const stale = server.visit();
  const wrong: string[] = [];
  const waiting = [
    ...troubles,
    { at: 110_000, what: 'up' },
    { at: 110_000, what: 'show' },
    { at: 110_000, what: 'close' },
  ];
  let page = checkedPage(openPage(server, { device, clock }), shown, wrong);
  const isDue = () => clock.now() >= (waiting[0]?.at ?? Number.POSITIVE_INFINITY);
  for (;;) {
    await live(page, { visitor: VISITOR, until: isDue });
    const trouble = page.isOver() ? undefined : waiting.shift();
    if (trouble === undefined) break;
    applyTrouble(page, trouble.what, stale);
    if (trouble.what !== 'reload') continue;
    page.close();
    page = checkedPage(openPage(server, { device, clock }), shown, wrong);
  }
  // A reload between the completion and its reply finds an ended visit.
  const ends = server.state.completed ? ['ended', 'expelled'] : ['ended'];
  expect(ends).toContain(exitReason(page.snapshot())?.because);
  expect(wrong).toEqual([]);
  return shown;
}

function applyTrouble({ server, send }: Evening, what: string, stale: Visit): void {
  if (what === 'lost' || what === 'unanswered' || what === 'up') server.state.network = what;
  if (what === 'hide') send({ type: 'HIDDEN' });
  if (what === 'show') send({ type: 'SHOWN' });
  if (what === 'retry') send({ type: 'RETRY' });
  if (what === 'stale') send({ type: 'CONTENT', visit: stale });
  if (what === 'look') send({ type: 'VIEW' });
  if (what === 'close') send({ type: 'VIEW_CLOSED' });
  if (what === 'tap') for (const type of ['DOWNLOAD', 'CONTINUE'] as const) send({ type });
}

/**
 * Records the steps shown and checks each state: no song during the video or twice, an exit point, phrases only in
 * their stages.
 */
function checkedPage(page: Evening, shown: Set<number>, wrong: string[]): Evening {
  page.actor.subscribe((now) => {
    const [stage, screen] = [currentStage(now), screenOf(now)];
    if (stage !== null) shown.add(stage.step);
    if (!EXIT_POINTS.includes(exitPointOf(now))) wrong.push(`exit point in ${screen}`);
    const song = page.log.filter(({ call }) => call.startsWith('song.')).map(({ call }) => call);
    if (SILENT.includes(screen) && song.at(-1) === 'song.start') wrong.push(`song in ${screen}`);
    if (song.some((call, index) => call === 'song.start' && song[index + 1] === call))
      wrong.push('song started twice');
    const phrases = stage !== null && ('frasi' in stage.content || 'frase' in stage.content);
    if (currentPhrase(now) !== null && !phrases) wrong.push(`phrase in ${screen}`);
  });
  return page;
}

const SILENT = ['pre_phrases', 'video', 'loading', 'offline', 'closing'];
