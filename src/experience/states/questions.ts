import { raise } from 'xstate';
import { ANSWER_PAUSE_MS, THANKS_MS } from '../../domain/limits.ts';
import { chart } from '../chart.ts';
import { stageNow, timed } from '../context.ts';
import { metaOf } from './meta.ts';
import { skip } from './skip.ts';

/**
 * Two questions, one at a time, each answered once. The answers are sent automatically and retried until the page is
 * closed. The stage ends when the server's visit has the trip's answers, by any event.
 */
export const questions = chart.createStateConfig({
  meta: metaOf('questions'),
  entry: ['restoreAnswers', 'forgetFailures', 'tuneSong', 'report'],
  always: [
    { guard: 'isThanked', target: 'choosing', actions: 'nextStep' },
    { guard: 'isLastAnswered', target: 'choosing', actions: ['thankForAnswers', 'nextStep'] },
    { guard: 'tripAnswered', target: 'thanking' },
  ],
  initial: 'asking',
  on: {
    ANSWER: {
      guard: { type: 'isOpen', params: ({ event }) => ({ question: event.question }) },
      target: '.answered',
      actions: [
        { type: 'lockAnswer', params: ({ event }) => ({ question: event.question, value: event.value }) },
        'saveAnswers',
      ],
    },
  },
  states: {
    asking: {
      entry: 'showNextQuestion',
      always: { guard: 'mustSend', target: 'sending' },
    },
    /** Shows the answer, then the other question. The last answer is sent at once. */
    answered: {
      always: { guard: 'mustSend', target: 'sending' },
      invoke: {
        src: 'visibleTimer',
        input: ({ context }) => timed(context, ANSWER_PAUSE_MS),
        onDone: 'asking',
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
            actions: 'discardAnswers',
          },
          {
            target: 'unsent',
            actions: ['sayUnsent', { type: 'tryFailed', params: ({ event }) => ({ code: event.code }) }],
          },
        ],
      },
    },
    unsent: { after: { backoff: 'sending' }, on: { RETRY: 'sending' } },
  },
});

/** The server has the trip's answers: the visitor sees a confirmation before the next text. */
export const thanking = chart.createStateConfig({
  meta: { stage: 'questions', exitPoint: 'after_checkboxes' },
  entry: ['thankForAnswers', 'noteThanks'],
  on: { SKIP: skip },
  invoke: {
    src: 'visibleTimer',
    input: ({ context }) => timed(context, THANKS_MS),
    onDone: { target: 'choosing', actions: 'nextStep' },
  },
});
