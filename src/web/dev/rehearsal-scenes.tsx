import type { Rehearsed } from '../api/rehearsal.ts';
import { RehearsalPage } from '../visitor/rehearsal/page.tsx';
import { twoTrips } from './sample.ts';
import type { Scene } from './scenes.tsx';
import { mockResponses, replyLost, replyNever, replyRefused, replyWith } from './stand-in-server.ts';

const replyOpen = (as: Rehearsed['as']) => replyWith({ as, snapshot: twoTrips, version: '' });

export const rehearsalScenes: Scene[] = [
  page('opening', replyNever),
  page('under way', replyOpen('admin')),
  page('nobody is signed in', replyRefused('SIGN_IN_REQUIRED')),
  page('the pass is over', replyRefused('REHEARSAL_OVER')),
  page('nothing to rehearse yet', replyRefused('VIDEO_MISSING')),
  page('no network', replyLost),
];

/** Renders the real page on a mocked reply. */
function page(name: string, answer: () => Promise<Response>): Scene {
  const draw = () => {
    mockResponses({ '/api/rehearsal': answer });
    return <RehearsalPage />;
  };
  return { name, draw };
}
