import type { Rehearsed } from '../api/rehearsal.ts';
import { RehearsalPage } from '../visitor/rehearsal/page.tsx';
import { twoTrips } from './sample.ts';
import type { Scene } from './scenes.tsx';
import { answerInstead, lost, neverSaid, refused, said } from './stand-in-server.ts';

const found = (as: Rehearsed['as']) => said({ as, snapshot: twoTrips, version: '' });

export const rehearsalScenes: Scene[] = [
  page('opening', neverSaid),
  page('under way', found('admin')),
  page('nobody is signed in', refused('SIGN_IN_REQUIRED')),
  page('the pass is over', refused('REHEARSAL_OVER')),
  page('nothing to rehearse yet', refused('VIDEO_MISSING')),
  page('no network', lost),
];

/** The real page, on what the server would say. */
function page(name: string, answer: () => Promise<Response>): Scene {
  const draw = () => {
    answerInstead({ '/api/rehearsal': answer });
    return <RehearsalPage />;
  };
  return { name, draw };
}
