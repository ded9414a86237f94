import { assign, setup } from 'xstate';

export type VisibleTimerInput = { ms: number; hidden: boolean; now: () => number };

type Context = { leftMs: number; since: number; hidden: boolean; now: () => number };

/** Length of a counted slice in ms. A frozen page loses at most one slice. */
const SLICE_MS = 250;
const MAX_COUNTED_MS = 500;

/**
 * Completes after `ms` milliseconds of visible time: HIDDEN stops it, SHOWN resumes with the remainder. Started on a
 * hidden page, it waits with its full time. All timed stages use it.
 */
export const visibleTimer = setup({
  types: {} as { context: Context; input: VisibleTimerInput; events: { type: 'HIDDEN' } | { type: 'SHOWN' } },
  guards: {
    hidden: ({ context }) => context.hidden,
    isOver: ({ context }) => leftOf(context) === 0,
  },
  actions: {
    start: assign({ since: ({ context }) => context.now() }),
    stop: assign({ leftMs: ({ context }) => leftOf(context) }),
  },
  // Whole milliseconds: a browser drops fractions and would wake with some time left.
  delays: { slice: ({ context }) => Math.ceil(Math.min(context.leftMs, SLICE_MS)) },
}).createMachine({
  id: 'visibleTimer',
  context: ({ input }) => ({ leftMs: input.ms, since: input.now(), hidden: input.hidden, now: input.now }),
  initial: 'choosing',
  states: {
    choosing: { always: [{ guard: 'hidden', target: 'stopped' }, { target: 'running' }] },
    running: {
      entry: 'start',
      after: {
        slice: [
          { guard: 'isOver', target: 'over' },
          { target: 'running', reenter: true, actions: 'stop' },
        ],
      },
      on: { HIDDEN: { target: 'stopped', actions: 'stop' } },
    },
    stopped: { on: { SHOWN: 'running' } },
    over: { type: 'final' },
  },
});

function leftOf({ leftMs, since, now }: Context): number {
  return Math.max(0, leftMs - Math.min(now() - since, MAX_COUNTED_MS));
}
