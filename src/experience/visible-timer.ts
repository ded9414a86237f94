import { assign, setup } from 'xstate';

export type VisibleTimerInput = { ms: number; hidden: boolean; now: () => number };

type Context = { leftMs: number; since: number; hidden: boolean; now: () => number };

/** It counts in slices, of which a page that was frozen loses one at most; milliseconds. */
const SLICE_MS = 250;
const MAX_COUNTED_MS = 500;

/**
 * Done after `ms` milliseconds during which the page was visible (decision 16): HIDDEN stops it, SHOWN goes on with the remainder.
 * Started on a hidden page it waits whole. The one clock of every timed stage.
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
  // Whole milliseconds: a browser drops the rest, and would come back with some of it left.
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
