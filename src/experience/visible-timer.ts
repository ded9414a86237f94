import { assign, setup } from 'xstate';

export type VisibleTimerInput = { ms: number; hidden: boolean; now: () => number };

type Context = { leftMs: number; since: number; hidden: boolean; now: () => number };

/**
 * Done after `ms` milliseconds during which the page was visible (decision 16): HIDDEN stops it, SHOWN goes on with the remainder.
 * Started on a hidden page it waits whole. The one clock of every timed stage.
 */
export const visibleTimer = setup({
  types: {} as { context: Context; input: VisibleTimerInput; events: { type: 'HIDDEN' } | { type: 'SHOWN' } },
  guards: { hidden: ({ context }) => context.hidden },
  actions: {
    start: assign({ since: ({ context }) => context.now() }),
    stop: assign({ leftMs: ({ context }) => Math.max(0, context.leftMs - (context.now() - context.since)) }),
  },
  delays: { left: ({ context }) => context.leftMs },
}).createMachine({
  id: 'visibleTimer',
  context: ({ input }) => ({ leftMs: input.ms, since: input.now(), hidden: input.hidden, now: input.now }),
  initial: 'choosing',
  states: {
    choosing: { always: [{ guard: 'hidden', target: 'stopped' }, { target: 'running' }] },
    running: {
      entry: 'start',
      after: { left: 'over' },
      on: { HIDDEN: { target: 'stopped', actions: 'stop' } },
    },
    stopped: { on: { SHOWN: 'running' } },
    over: { type: 'final' },
  },
});
