import { raise } from 'xstate';
import { NO_CLOSING_PHRASE_MS } from '../../domain/limits.ts';
import { chart } from '../chart.ts';
import { phraseInput, timed } from '../context.ts';
import { metaOf } from './meta.ts';
import { skip } from './skip.ts';

/**
 * The closing phrase of a single trip, or the final phrases of the second; without any, the success notice and 2 s
 * (spec 4).
 */
export const closing = chart.createStateConfig({
  meta: metaOf('closing'),
  entry: ['tuneSong', 'report'],
  on: { SKIP: skip },
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'hasPhrases', target: 'phrases' }, { target: 'notice' }] },
    phrases: {
      invoke: {
        src: 'phraseMachine',
        input: ({ context }) => phraseInput(context),
        onDone: { target: '#choosing', actions: 'nextStep' },
      },
    },
    notice: {
      entry: 'notifyCompleted',
      invoke: {
        src: 'visibleTimer',
        input: ({ context }) => timed(context, NO_CLOSING_PHRASE_MS),
        onDone: { target: '#choosing', actions: 'nextStep' },
      },
    },
  },
});

/** Closes the visit on the server. The evening ends within a time limit, whatever the server replies. */
export const completing = chart.createStateConfig({
  meta: metaOf('closing'),
  entry: 'forgetFailures',
  initial: 'asking',
  after: { completingLimit: '#ended' },
  on: { COMPLETED: '#ended', LOAD_FAILED: '#ended', RESYNC: {} },
  states: {
    asking: {
      invoke: {
        src: 'completeVisit',
        input: ({ context }) => ({ ports: context.ports }),
        onDone: { actions: raise(({ event }) => event.output) },
      },
      on: {
        TRY_FAILED: [
          { guard: 'isLastTry', target: '#ended' },
          {
            target: 'resting',
            actions: { type: 'tryFailed', params: ({ event }) => ({ code: event.code }) },
          },
        ],
      },
    },
    resting: { after: { backoff: 'asking' }, on: { RETRY: 'asking' } },
  },
});
