import { chart } from '../chart.ts';
import { metaOf } from './meta.ts';
import { skip } from './skip.ts';

/** The locked video; its own machine plays it (video-lock) and says here how far it is and how it ended. */
export const video = chart.createStateConfig({
  meta: metaOf('video'),
  entry: ['tuneSong', 'report'],
  exit: 'stopVideo',
  on: {
    VIDEO_SECOND: {
      actions: [{ type: 'videoAt', params: ({ event }) => ({ second: event.second }) }, 'report'],
    },
    SKIP: skip,
    VIDEO_ENDED: { target: 'choosing', actions: 'nextStep' },
    VIDEO_FAILED: {
      target: '#failed',
      actions: { type: 'noteFailure', params: { failure: 'VIDEO_FAILED' } },
    },
  },
});
