import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { KeepsakeView } from '../../contract/keepsake.ts';
import type { Snapshot } from '../../domain/content.ts';
import { itinerary } from '../../domain/itinerary.ts';
import { stageContent } from '../../domain/stage-content.ts';
import { KeepsakePage } from '../keepsake/page.tsx';
import { changed, oneTrip, twoTrips } from './sample.ts';
import type { Scene } from './scenes.tsx';
import { mockResponses, replyLost, replyNever, replyRefused, replyWith } from './stand-in-server.ts';

const ANSWERS = { risposta_1: true, risposta_2: false };

/** Returns the evening as the server sends it to the keepsake page. */
function sampleView(snapshot: Snapshot, reply: string | null = null): KeepsakeView {
  const answers = new Map([[1, ANSWERS] as const, [2, { risposta_1: true, risposta_2: true }] as const]);
  return {
    until: '2027-12-31',
    recipient_name: snapshot.config.recipient_name,
    stages: itinerary(snapshot).map((step) => stageContent(snapshot, step, answers)),
    answers: [...answers].map(([viaggio, tripAnswers]) => ({ viaggio, ...tripAnswers })),
    calendars: [1],
    reply,
  };
}

const bare = changed(
  { recipient_name: null, biglietti_url: null, data_partenza: null, data_ritorno: null, frasi_finali: null },
  oneTrip,
);

const CLOSED = replyWith({ open: false });

export const keepsakeScenes: Scene[] = [
  page('asking', replyNever),
  page('nothing is kept', replyRefused('NO_KEEPSAKE')),
  page('no network', replyLost),
  page('the code is asked for', CLOSED),
  page('a wrong code', CLOSED, replyRefused('CODE_INVALID')),
  page('open', CLOSED, replyWith(sampleView(twoTrips))),
  page('open, and written back to', CLOSED, replyWith(sampleView(oneTrip, 'Non la dimentico.\nMai.'))),
  page('open, of an evening with little in it', CLOSED, replyWith(sampleView(bare))),
];

/**
 * Renders the real page on mocked replies.
 * @param openReply the reply to a code, which is then typed and sent
 */
function page(name: string, readReply: () => Promise<Response>, openReply?: () => Promise<Response>): Scene {
  const draw = () => {
    mockResponses({ '/api/keepsake': readReply, '/api/keepsake/open': openReply ?? replyNever });
    if (openReply !== undefined) typeCode();
    const routes = [{ path: '*', Component: KeepsakePage }];
    return <RouterProvider router={createMemoryRouter(routes)} />;
  };
  return { name, draw };
}

function typeCode(): void {
  const form = document.querySelector('form');
  const field = form?.querySelector('input');
  if (form == null || field == null) {
    requestAnimationFrame(typeCode);
    return;
  }
  field.value = 'ROM-TD537ERU';
  form.requestSubmit();
}
