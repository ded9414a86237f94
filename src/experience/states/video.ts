import { chart } from '../chart.ts';
import { metaOf } from './meta.ts';
import { skip } from './skip.ts';

/** The locked video. Its own machine (video-lock) plays it and reports its position and its end here. */
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
