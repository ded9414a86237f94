import { assign, sendParent, setup } from 'xstate';
import type { PageEvent, PhraseEvent, RehearsalEvent } from './events.ts';
import { FONTS_WAIT_MS } from './timings.ts';
import { childrenOf } from './visibility.ts';
import { visibleTimer } from './visible-timer.ts';

export type PhraseInput = {
  /** Index of the first phrase. */
  first: number;
  /** Per phrase, the display time and the gap before it in ms; `pauseMs` follows the last one. */
  phraseMs: readonly number[];
  gapMs: readonly number[];
  pauseMs: number;
  /** Multiplies all times; 1 except in a rehearsal. */
  speed: number;
  fontsReady: boolean;
  hidden: boolean;
  now: () => number;
};

type Context = PhraseInput & {
  index: number;
  /** The phrase started while the page was hidden. */
  unseen: boolean;
};

const began = (index: number): PhraseEvent => ({ type: 'PHRASE_BEGAN', index });
const ended: PhraseEvent = { type: 'PHRASE_ENDED' };

const parts = setup({
  types: {} as { context: Context; input: PhraseInput; events: PageEvent | RehearsalEvent },
  actors: { visibleTimer },
  guards: {
    fontsReady: ({ context }) => context.fontsReady,
    hasNext: ({ context }) => context.index + 1 < context.phraseMs.length,
    empty: ({ context }) => context.phraseMs.length === 0,
    noPause: ({ context }) => context.pauseMs === 0,
    unseen: ({ context }) => context.unseen,
  },
  actions: {
    hide: assign({ hidden: true }),
    show: assign({ hidden: false }),
    begin: assign({ unseen: ({ context }) => context.hidden }),
    seen: assign({ unseen: false }),
    takePace: assign((_, { pace }: { pace: number }) => ({ speed: pace })),
    next: assign({ index: ({ context }) => context.index + 1 }),
    announce: sendParent(({ context }: { context: Context }) => began(context.index)),
    announceEnd: sendParent(ended),
  },
  delays: { fonts: FONTS_WAIT_MS },
});

const chart = parts.extend({
  actions: {
    tellChildren: parts.enqueueActions(({ self, event, enqueue }) => {
      for (const child of childrenOf(self)) enqueue.sendTo(child, event);
    }),
  },
});

/** Transitions after a phrase ends; a skipped one has no gap after it. */
const onwards = [
  { guard: 'hasNext', target: 'between', actions: ['next', 'announceEnd'] },
  { guard: 'noPause', target: 'over' },
  { target: 'pausing', actions: 'announceEnd' },
] as const;

/**
 * Shows phrases one at a time, each for its own visible time, then pauses (spec 4). Serves every sequence of the
 * evening and reports each start to its parent. A phrase that started on a hidden page restarts in full when the page
 * is shown.
 */
export const phraseMachine = chart.createMachine({
  id: 'phrases',
  context: ({ input }) => ({
    ...input,
    index: Math.max(0, Math.min(input.first, input.phraseMs.length - 1)),
    unseen: false,
  }),
  initial: 'awaitingFonts',
  on: {
    HIDDEN: { actions: ['hide', 'tellChildren'] },
    SHOWN: { actions: ['show', 'tellChildren'] },
    PACE: { actions: { type: 'takePace', params: ({ event }) => ({ pace: event.pace }) } },
  },
  states: {
    awaitingFonts: {
      always: [
        { guard: 'empty', target: 'pausing' },
        { guard: 'fontsReady', target: 'showing' },
      ],
      on: { FONTS_READY: 'showing' },
      after: { fonts: 'showing' },
    },
    showing: {
      entry: ['begin', 'announce'],
      on: {
        SHOWN: { guard: 'unseen', actions: ['show', 'seen', 'announce', 'tellChildren'] },
        NEXT_PHRASE: [{ guard: 'hasNext', target: 'showing', reenter: true, actions: 'next' }, ...onwards],
      },
      invoke: {
        src: 'visibleTimer',
        input: ({ context }) => timed(context, context.phraseMs[context.index] ?? 0),
        onDone: onwards,
      },
    },
    between: {
      invoke: {
        src: 'visibleTimer',
        input: ({ context }) => timed(context, context.gapMs[context.index] ?? 0),
        onDone: 'showing',
      },
      on: { NEXT_PHRASE: 'showing' },
    },
    pausing: {
      invoke: {
        src: 'visibleTimer',
        input: ({ context }) => timed(context, context.pauseMs),
        onDone: 'over',
      },
      on: { NEXT_PHRASE: 'over' },
    },
    over: { type: 'final' },
  },
});

function timed({ speed, hidden, now }: Context, ms: number) {
  return { ms: ms * speed, hidden, now };
}
