import { raise } from 'xstate';
import { chart } from '../chart.ts';

/** Requests the visit from the server; the reply becomes an event. */
const resumeCall = chart.createStateConfig({
  invoke: {
    src: 'resumeVisit',
    input: ({ context }) => ({ ports: context.ports }),
    onDone: { actions: raise(({ event }) => event.output) },
  },
});

/** Resumes the visit at the server's position. Without a network it retries until the page is closed. */
export const loading = chart.createStateConfig({
  id: 'loading',
  meta: { stage: null, exitPoint: 'during_pre_phrases' },
  initial: 'asking',
  entry: 'forgetFailures',
  on: {
    LOADED: {
      target: 'choosing',
      actions: { type: 'startOrResume', params: ({ event }) => ({ visit: event.visit }) },
    },
    /** Content that arrives during the request is older than its reply. */
    CONTENT: {},
    RESYNC: {},
  },
  states: {
    asking: {
      ...resumeCall,
      on: {
        TRY_FAILED: [
          {
            guard: { type: 'givesUp', params: ({ event }) => ({ code: event.code }) },
            target: '#failed',
            actions: { type: 'noteFailure', params: { failure: 'LOADING' } },
          },
          {
            target: 'offline',
            actions: { type: 'tryFailed', params: ({ event }) => ({ code: event.code }) },
          },
        ],
      },
    },
    offline: { tags: 'offline', after: { backoff: 'asking' }, on: { RETRY: 'asking' } },
  },
});

/** «Un attimo…»: the next stage's content is missing. It usually arrives as the reply to a position. */
export const waiting = chart.createStateConfig({
  tags: 'waiting',
  meta: { stage: null, exitPoint: null },
  initial: 'listening',
  entry: ['forgetFailures', 'tuneSong'],
  always: { guard: 'isKnown', target: 'choosing' },
  states: {
    listening: { after: { askAgain: 'asking' }, on: { RETRY: 'asking' } },
    asking: {
      ...resumeCall,
      on: {
        LOADED: [
          {
            guard: { type: 'isOtherVisit', params: ({ event }) => ({ visit: event.visit }) },
            target: '#loading',
          },
          {
            target: 'listening',
            actions: { type: 'merge', params: ({ event }) => ({ visit: event.visit }) },
          },
        ],
        TRY_FAILED: 'listening',
      },
    },
  },
});
