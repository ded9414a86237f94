import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { chart } from './chart.ts';
import { firstContext } from './context.ts';
import { choosing } from './states/choosing.ts';
import { closing, completing } from './states/closing.ts';
import { loading, waiting } from './states/loading.ts';
import { between_phrases, phrases, pre_phrases } from './states/phrases.ts';
import { questions, thanking } from './states/questions.ts';
import { card, destination } from './states/trip.ts';
import { video } from './states/video.ts';

/**
 * The visitor's evening (spec 4): loading, then the visit's stages to the end. The server decides the stages; the chart
 * decides how each runs. Events that end the evening early are handled once, around all stages.
 */
export const visitMachine = chart.createMachine({
  id: 'visit',
  context: ({ input }) => firstContext(input),
  initial: 'evening',
  on: {
    HIDDEN: { actions: ['hide', 'pauseChildren'] },
    SHOWN: { actions: ['show', 'resumeChildren'] },
    VIEW: { actions: ['look', 'pauseChildren'] },
    VIEW_CLOSED: { actions: ['lookAway', 'resumeChildren'] },
    DOWNLOAD_STARTED: { actions: { type: 'notify', params: { kind: 'download_started' } } },
    DOWNLOAD_FAILED: { actions: { type: 'notify', params: { kind: 'download_failed' } } },
    FONTS_READY: { actions: ['fontsCame', 'tellChildren'] },
    NEXT_PHRASE: { guard: 'inRehearsal', actions: 'tellChildren' },
    PACE: {
      guard: 'inRehearsal',
      actions: [{ type: 'takePace', params: ({ event }) => ({ pace: event.pace }) }, 'tellChildren'],
    },
  },
  states: {
    evening: {
      initial: 'loading',
      on: {
        CONTENT: [
          {
            guard: { type: 'isOtherVisit', params: ({ event }) => ({ visit: event.visit }) },
            target: '.loading',
          },
          { actions: [{ type: 'merge', params: ({ event }) => ({ visit: event.visit }) }, 'tuneSong'] },
        ],
        PHRASE_BEGAN: {
          actions: [{ type: 'phraseBegan', params: ({ event }) => ({ index: event.index }) }, 'report'],
        },
        PHRASE_ENDED: { actions: 'phraseEnded' },
        RESYNC: '.loading',
        DISCONNECTED: {
          target: 'disconnected',
          actions: { type: 'noteDisconnection', params: ({ event }) => event },
        },
        LOAD_FAILED: [
          { guard: { type: 'isEnd', params: ({ event }) => ({ code: event.code }) }, target: 'expelled' },
          {
            guard: { type: 'isUnready', params: ({ event }) => ({ code: event.code }) },
            target: 'failed',
            actions: { type: 'noteFailure', params: ({ event }) => ({ failure: failureOf(event.code) }) },
          },
        ],
      },
      states: {
        loading,
        choosing,
        waiting,
        pre_phrases,
        video,
        between_phrases,
        phrases,
        destination,
        card,
        questions,
        thanking,
        closing,
        completing,
      },
    },
    /** The notice is shown; `gone` follows after FORCED_DISCONNECT.redirectMs and the page leaves. */
    disconnected: {
      meta: { stage: null, exitPoint: null },
      entry: ['stopMedia', 'notifyDisconnected'],
      initial: 'telling',
      states: {
        telling: { after: { backHome: 'gone' } },
        gone: { tags: 'gone', type: 'final' },
      },
    },
    /** There is no visit (any more): back to `/` without a notice. */
    expelled: { type: 'final', entry: 'stopMedia', meta: { stage: null, exitPoint: null } },
    failed: {
      id: 'failed',
      type: 'final',
      entry: ['stopMedia', 'notifyFailed'],
      meta: { stage: null, exitPoint: null },
    },
    ended: {
      id: 'ended',
      type: 'final',
      entry: 'stopMedia',
      meta: { stage: 'closing', exitPoint: 'after_checkboxes' },
    },
  },
});

export type VisitActor = ActorRefFrom<typeof visitMachine>;
export type VisitSnapshot = SnapshotFrom<typeof visitMachine>;

function failureOf(code: string): 'CONFIG_MISSING' | 'VIDEO_MISSING' {
  return code === 'VIDEO_MISSING' ? code : 'CONFIG_MISSING';
}
