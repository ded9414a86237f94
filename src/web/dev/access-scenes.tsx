import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Site } from '../api/visit.ts';
import { ErrorPage } from '../pages/error.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';
import { AccessPage } from '../visitor/access/page.tsx';
import type { Scene } from './scenes.tsx';
import {
  mockResponses,
  replyForeign,
  replyLost,
  replyNever,
  replyRefused,
  replyWith,
} from './stand-in-server.ts';

const OPEN: Site = {
  data_laurea: null,
  closed: false,
  resumable: false,
  disconnection: null,
  keepsake: false,
  footer_text: null,
  privacy_notice: null,
};
/** Interval of the repeated submits, in ms: a little longer than a toast is visible. */
const RESEND_MS = 5_500;

/** Refusals of a code (contract/visit.ts), and errors that may replace them. */
const REFUSALS = [
  'CODE_INVALID',
  'CODE_EXPIRED',
  'CODE_EXHAUSTED',
  'SITE_CLOSED',
  'TOO_MANY_ATTEMPTS',
  'CONFIG_MISSING',
  'VIDEO_MISSING',
  'INTERNAL',
] as const satisfies ErrorCode[];

/** Returns the refusal of a code before the opening time, this long from now. */
const early = ({ days, hours }: { days: number; hours: number }) => {
  const secondi = Math.round(days * 86_400 + hours * 3_600);
  return replyRefused('TOO_EARLY', {
    secondi,
    opens_at: new Date(Date.now() + secondi * 1_000).toISOString(),
  });
};

export const accessScenes: Scene[] = [
  screen('still', {}),
  screen('the graduation is known', { site: { data_laurea: '2027-03-18' } }),
  screen('a visit to take up again', { site: { resumable: true } }),
  screen('an evening to look at again', { site: { keepsake: true } }),
  screen('closed after the graduation', { site: { data_laurea: '2026-03-18', closed: true } }),
  screen('inside another app', { agent: 'Instagram 300.0 (iPhone)' }),
  screen('the code is checked', { entry: replyNever, code: 'ROM-TD537ERU' }),
  screen('no code', { code: '' }),
  ...REFUSALS.map((code) => screen(code, { entry: replyRefused(code), code: 'ROM-TD537ERU' })),
  screen('before the opening', { entry: early({ days: 2, hours: 3 }), code: 'ROM-TD537ERU' }),
  screen('minutes before the opening', { entry: early({ days: 0, hours: 0.1 }), code: 'ROM-TD537ERU' }),
  screen('no network', { entry: replyLost, code: 'ROM-TD537ERU' }),
  screen('an answer that isn’t ours', { entry: replyForeign, code: 'ROM-TD537ERU' }),
];

export const wrongPages: Scene[] = [
  { name: 'not found', draw: () => <Page path="/nowhere" /> },
  { name: 'not found, the administrator’s', draw: () => <Page path="/admin/nowhere" /> },
  { name: 'broken', draw: () => <Page path="/broken" /> },
];

type ScreenOptions = {
  site?: Partial<Site>;
  /** Mocked reply to the code. */
  entry?: () => Promise<Response>;
  /** Code to type and send. */
  code?: string;
  /** User agent to pretend. */
  agent?: string;
};

function screen(name: string, { site, entry = replyNever, code, agent }: ScreenOptions): Scene {
  const draw = () => {
    if (agent !== undefined) Object.defineProperty(navigator, 'userAgent', { value: agent });
    mockResponses({ '/api/site': replyWith({ ...OPEN, ...site }), '/api/access': entry });
    if (code !== undefined) sendRepeatedly(code);
    return <Page path="/" />;
  };
  return { name, themed: true, draw };
}

function sendRepeatedly(code: string): void {
  const send = () => {
    const form = document.querySelector('form');
    const field = form?.querySelector('input');
    if (form == null || field == null) return;
    field.value = code;
    form.requestSubmit();
  };
  setTimeout(send, 500);
  setInterval(send, RESEND_MS);
}

/** Renders a page in a separate router, so that no link leaves the frame. */
function Page({ path }: { path: string }) {
  const routes = [
    {
      ErrorBoundary: ErrorPage,
      children: [
        { path: '/', Component: AccessPage },
        { path: '/broken', Component: Broken },
        { path: '*', Component: NotFoundPage },
      ],
    },
  ];
  return <RouterProvider router={createMemoryRouter(routes, { initialEntries: [path] })} />;
}

function Broken(): never {
  throw new Error('A page that can’t be drawn');
}
