import type { ReactNode } from 'react';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { KeepsakeView } from '../../contract/visit.ts';
import type { Snapshot } from '../../domain/content.ts';
import { itinerary } from '../../domain/itinerary.ts';
import { stageContent } from '../../domain/stage-content.ts';
import type { ChartFailure, Notice } from '../../experience/ports.ts';
import type { LockPhase } from '../../experience/video-lock/lock-types.ts';
import type { Rehearsed } from '../api/rehearsal.ts';
import { KeepsakePage } from '../keepsake/page.tsx';
import { usePalette } from '../palette.ts';
import { Captions } from '../scenes/captions.tsx';
import { Night } from '../scenes/night.tsx';
import { Notice as NoticeScene } from '../scenes/notice.tsx';
import { clearNotice, noticeOnShow, noticePort } from '../visitor/experience/notices.ts';
import { OverFilm } from '../visitor/experience/video-screen.tsx';
import film from '../visitor/media/film.module.css';
import type { VideoStageState } from '../visitor/media/stage-state.ts';
import { RehearsalPage } from '../visitor/rehearsal/page.tsx';
import { accessScenes, wrongPages } from './access-scenes.tsx';
import { EveningAt } from './evening.tsx';
import { eveningScenes } from './evening-scenes.tsx';
import { changed, oneTrip, POSTER, twoTrips } from './sample.ts';
import { mockResponses, replyLost, replyNever, replyRefused, replyWith } from './stand-in-server.ts';

const IDLE: VideoStageState = {
  phase: 'idle',
  canStart: true,
  prebuffer: 'ready',
  filled: 1,
  buffered: 1,
  second: 0,
  fullScreen: 'css',
};

/** Names of all lock phases; the compiler requires new ones here. */
const PHASES: Record<LockPhase, string> = {
  idle: 'ready to start',
  starting: 'starting',
  playing: 'playing',
  stalled: 'stalled',
  blocked: 'blocked',
  osPaused: 'paused by the phone',
  failed: 'failed',
  ended: 'ended',
};

const filmScenes: Scene[] = [
  {
    name: 'the real one',
    draw: () => <EveningAt place={{ content: twoTrips, at: { stage: 'video', viaggio: 1 } }} />,
  },
  over('being prepared', { ...IDLE, canStart: false, prebuffer: 'preparing', filled: 0.1 }),
  over('on a slow line', { ...IDLE, prebuffer: 'filling', filled: 0.4 }),
  over('playing, with captions', { ...IDLE, phase: 'playing' }, 'Era la nostra prima sera\ne pioveva.'),
  ...Object.entries(PHASES).map(([phase, name]) => over(name, { ...IDLE, phase: phase as LockPhase })),
];

function over(name: string, state: VideoStageState, captions = ''): Scene {
  return { name, draw: () => <Covered state={state} captions={captions} /> };
}

/** Renders the layer over the film, with the poster in place of the film. */
function Covered({ state, captions }: { state: VideoStageState; captions: string }) {
  usePalette('night');
  const nothing = () => {};
  const stage = {
    state: () => state,
    subscribe: () => nothing,
    start: nothing,
    resume: nothing,
    retry: nothing,
  };
  return (
    <div className={film['film']}>
      <img className={film['poster']} src={POSTER} alt="" />
      <div className={film['overlay']}>
        <Captions text={captions} />
        <OverFilm stage={stage} video_button_text={twoTrips.config.video_button_text ?? ''} />
      </div>
    </div>
  );
}

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

const keepsakeScenes: Scene[] = [
  keepsakePage('asking', replyNever),
  keepsakePage('nothing is kept', replyRefused('NO_KEEPSAKE')),
  keepsakePage('no network', replyLost),
  keepsakePage('the code is asked for', CLOSED),
  keepsakePage('a wrong code', CLOSED, replyRefused('CODE_INVALID')),
  keepsakePage('open', CLOSED, replyWith(sampleView(twoTrips))),
  keepsakePage(
    'open, and written back to',
    CLOSED,
    replyWith(sampleView(oneTrip, 'Non la dimentico.\nMai.')),
  ),
  keepsakePage('open, of an evening with little in it', CLOSED, replyWith(sampleView(bare))),
];

/**
 * Renders the real page on mocked replies.
 * @param openReply the reply to a code, which is then typed and sent
 */
function keepsakePage(
  name: string,
  readReply: () => Promise<Response>,
  openReply?: () => Promise<Response>,
): Scene {
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

const FAILURES: Record<ChartFailure, string> = {
  CONFIG_MISSING: 'nothing is configured',
  VIDEO_MISSING: 'no film is configured',
  VIDEO_FAILED: 'the film can’t be played',
  LOADING: 'the visit can’t be read',
};

/** All notices of the chart; the compiler requires new ones here. */
const NOTICES: Record<Exclude<Notice['kind'], 'failed'>, [name: string, notice: Notice][]> = {
  answers_failed: [['the answers failed', { kind: 'answers_failed' }]],
  completed: [['the evening is over', { kind: 'completed', bothYes: null }]],
  download_started: [['the download began', { kind: 'download_started' }]],
  download_failed: [['the download failed', { kind: 'download_failed' }]],
  disconnected: [
    ['disconnected', { kind: 'disconnected', reason: 'token_revoked', contatto: '@marco' }],
    ['disconnected, nobody to ask', { kind: 'disconnected', reason: 'token_revoked', contatto: null }],
  ],
};

const noticeScenes: Scene[] = [
  ...Object.values(NOTICES).flat(),
  ...Object.entries(FAILURES).map(([code, name]): [string, Notice] => [
    name,
    { kind: 'failed', code: code as ChartFailure },
  ]),
].map(([name, notice]) => ({ name, draw: () => <NoticePreview notice={notice} /> }));

/** Shows the text of a notice without its timeout. */
function NoticePreview({ notice }: { notice: Notice }) {
  usePalette('night');
  noticePort()(notice);
  const shown = noticeOnShow();
  clearNotice();
  return (
    <Night>
      <NoticeScene
        text={shown?.text ?? null}
        description={shown?.description ?? null}
        at={notice.kind === 'disconnected' ? 'middle' : 'foot'}
      />
    </Night>
  );
}

const replyOpen = (as: Rehearsed['as']) => replyWith({ as, snapshot: twoTrips, version: '' });

const rehearsalScenes: Scene[] = [
  rehearsalPage('opening', replyNever),
  rehearsalPage('under way', replyOpen('admin')),
  rehearsalPage('nobody is signed in', replyRefused('SIGN_IN_REQUIRED')),
  rehearsalPage('the pass is over', replyRefused('REHEARSAL_OVER')),
  rehearsalPage('nothing to rehearse yet', replyRefused('VIDEO_MISSING')),
  rehearsalPage('no network', replyLost),
];

/** Renders the real page on a mocked reply. */
function rehearsalPage(name: string, answer: () => Promise<Response>): Scene {
  const draw = () => {
    mockResponses({ '/api/rehearsal': answer });
    return <RehearsalPage />;
  };
  return { name, draw };
}

export type Scene = {
  name: string;
  /** Follows the phone's theme. */
  themed?: boolean;
  /** Called once, in a page that shows nothing else. */
  draw: () => ReactNode;
};

/** All scenes, in the order of the evening. */
export const GROUPS: { name: string; scenes: Scene[] }[] = [
  { name: 'Access', scenes: accessScenes },
  { name: 'Evening', scenes: eveningScenes },
  { name: 'Film', scenes: filmScenes },
  { name: 'Notices', scenes: noticeScenes },
  { name: 'Keepsake', scenes: keepsakeScenes },
  { name: 'Rehearsal', scenes: rehearsalScenes },
  { name: 'Wrong pages', scenes: wrongPages },
];

/** @param id group name and scene name, separated by a slash */
export function findScene(id: string): Scene | undefined {
  return GROUPS.flatMap(({ name, scenes }) => scenes.filter((scene) => `${name}/${scene.name}` === id)).at(0);
}
