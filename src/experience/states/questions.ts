import { raise } from 'xstate';
import { chart } from '../chart.ts';
import { stageNow } from '../context.ts';
import { metaOf } from './meta.ts';

/**
 * Two questions, each answered once. Both chosen, they are sent by themselves and tried again for as long as the page lives (decision 17).
 * The stage is over when the server's visit has the trip's answers, however that came to be known.
 */
export const questions = chart.createStateConfig({
  meta: metaOf('questions'),
  entry: ['recallAnswers', 'forgetFailures', 'tuneSong', 'report'],
  always: {
    guard: 'tripAnswered',
    target: 'choosing',
    actions: ['thankForAnswers', 'noteThanks', 'nextStep'],
  },
  initial: 'deciding',
  states: {
    deciding: {
      always: { guard: 'mustSend', target: 'sending' },
      on: {
        ANSWER: {
          guard: { type: 'isOpen', params: ({ event }) => ({ question: event.question }) },
          actions: [
            {
              type: 'lockAnswer',
              params: ({ event }) => ({ question: event.question, value: event.value }),
            },
            'keepAnswers',
          ],
        },
      },
    },
    sending: {
      tags: 'sending',
      invoke: {
        src: 'sendAnswers',
        input: ({ context }) => ({
          ports: context.ports,
          viaggio: stageNow(context)?.viaggio ?? 1,
          chosen: context.chosen,
        }),
        onDone: { actions: raise(({ event }) => event.output) },
      },
      on: {
        TRY_FAILED: [
          {
            guard: { type: 'isConflict', params: ({ event }) => ({ code: event.code }) },
            target: '#loading',
            actions: 'dropAnswers',
          },
          {
            target: 'unsent',
            actions: [
              { type: 'tryFailed', params: ({ event }) => ({ code: event.code }) },
              { type: 'notify', params: { kind: 'answers_failed' } },
            ],
          },
        ],
      },
    },
    unsent: { after: { backoff: 'sending' }, on: { RETRY: 'sending' } },
  },
});
