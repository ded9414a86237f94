import { fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { toast } from 'sonner';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accessTexts, footerSentence } from '../../src/texts/access.ts';
import { networkTexts } from '../../src/texts/dates.ts';
import { inAppTexts } from '../../src/texts/devices.ts';
import { countdownTexts, dayAndHour, tooEarly } from '../../src/texts/opening-time.ts';
import type { Site } from '../../src/web/api/visit.ts';
// Imported eagerly: the page's lazy chunks are then available at once.
import '../../src/web/visitor/access/in-app/hint.tsx';
import '../../src/web/visitor/access/opening/countdown.tsx';
import '../../src/web/visitor/experience/broken-seal.tsx';
import '../../src/web/visitor/experience/page.tsx';
import { isInAppBrowser } from '../../src/web/visitor/access/in-app/looks-in-app.ts';
import { AccessPage } from '../../src/web/visitor/access/page.tsx';
import { sealLetter } from '../../src/web/visitor/experience/opening.ts';
import { takeInitialVisit } from '../../src/web/visitor/first-visit.ts';
import { ended, letter } from '../../src/web/visitor/letter.ts';
import { standInMedia } from './support/media.ts';
import { lost, never, pass, readPage, refused, replyWith, stubFetch, tap } from './support/page.ts';

/** The access page with its code field: texts, requests and the handling of each answer. */

const SITE: Site = {
  data_laurea: null,
  closed: false,
  resumable: false,
  disconnection: null,
  keepsake: false,
  footer_text: null,
  privacy_notice: null,
};
const ADMITTED = {
  token_id: 'id',
  token_value: 'ROM1',
  visit: { session_id: 's', recipient_name: 'Giulia' },
};
const CLOSING = footerSentence(SITE);

let warnings: () => unknown[];
let router: ReturnType<typeof createMemoryRouter>;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2027-02-14T19:00:00.000Z') });
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  warnings = () => warn.mock.calls.map(([word]) => word);
  vi.spyOn(console, 'error').mockReturnValue();
  standInMedia();
  // Evenings of other test files end in this page, too.
  ended.set(null);
});
afterEach(async () => {
  toast.dismiss();
  await pass(1_000);
  sealLetter();
  takeInitialVisit();
});

type Answers = { site?: Partial<Site>; access?: Parameters<typeof stubFetch>[0][string] };

async function openAccessPage({ site = {}, access = never }: Answers = {}) {
  const server = stubFetch({ site: replyWith({ ...SITE, ...site }), access });
  router = createMemoryRouter([
    { path: '/', element: <AccessPage /> },
    { path: '/experience', element: <p>La serata</p> },
  ]);
  render(<RouterProvider router={router} />);
  await pass();
  return { ...server, entries: () => server.of('access') };
}

const field = () => screen.getByLabelText<HTMLInputElement>(accessTexts.prompt);
async function send(code: string): Promise<void> {
  fireEvent.input(field(), { target: { value: code } });
  fireEvent.submit(field());
  await pass();
}
const button = () => readPage().find((part) => /Scopri|Verifica|momento/.test(part));

const welcome = [accessTexts.welcomeBack, '[Riprendi]', 'oppure'];

test.each<[string, Partial<Site>, before: string[], after: string[]]>([
  ['by itself', {}, [], [CLOSING]],
  [
    'with a visit to take up again, an evening to look at again and what was written about privacy',
    { resumable: true, keepsake: true, privacy_notice: 'Dati' },
    welcome,
    [`<${accessTexts.keepsake} → /ricordo>`, CLOSING, 'Informativa', 'Dati'],
  ],
  ['with its own footer', { data_laurea: '2027-03-18', footer_text: 'Per te' }, [], ['Per te']],
  ['without a footer', { footer_text: '' }, [], []],
  [
    'closed, with its own footer',
    { closed: true, footer_text: 'Per te' },
    [],
    ['La sorpresa si è conclusa. Grazie della visita.'],
  ],
])('shows the letter %s', async (_when, site, before, after) => {
  await openAccessPage({ site });
  const shown = readPage().map((part) => part.replace(/^\{.*/, '{F}').replace(/^\[Scopri.*/, '[S]'));
  expect(shown).toEqual([`# ${accessTexts.title}`, ...before, '{F}', '[S]', ...after]);
});

test('extracts the code from a pasted message, sends it and shows it in the field', async () => {
  const { entries } = await openAccessPage({ access: refused('CODE_INVALID') });
  await send('Amore, apri https://sorpresa.example e scrivi rom-7kx2m9qd ❤️');
  expect(field().value).toBe('ROM-7KX2M9QD');
  expect(entries()).toMatchObject([{ token: 'ROM7KX2M9QD' }]);
});

test('shows a closed envelope with the recipient’s name after an evening, and the form after a tap', async () => {
  ended.set({ name: 'Giulia', isHandwritten: true });
  await openAccessPage({ site: { keepsake: true, resumable: true } });
  const keepsake = `<${accessTexts.keepsake} → /ricordo>`;
  expect(readPage()).toEqual(['# Giulia', keepsake, `[${accessTexts.haveCode}]`, CLOSING]);
  await tap(accessTexts.haveCode);
  expect([document.activeElement, ended.state()]).toEqual([field(), null]);
  expect(readPage()[0]).toBe(`# ${accessTexts.title}`);
});

test('refetches the site state when the page returns from the back/forward cache', async () => {
  const { of } = await openAccessPage();
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: false }));
  expect(of('site')).toHaveLength(1);
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
  expect(of('site')).toHaveLength(2);
});

test('resumes an unfinished visit with one tap, without breaking a seal', async () => {
  await openAccessPage({ site: { resumable: true } });
  await tap('Riprendi');
  expect(router.state.location.pathname).toBe('/experience');
  expect(letter.state()).toMatchObject({ phase: 'opening', name: undefined });
});

test('converts input to capitals, but not during composition', async () => {
  await openAccessPage();
  fireEvent.input(field(), { target: { value: 'rom-ß1' } });
  expect(field().value).toBe('ROM-SS1');
  fireEvent.compositionStart(field());
  fireEvent.input(field(), { target: { value: 'romé' } });
  expect(field().value).toBe('romé');
  fireEvent.compositionEnd(field());
  expect(field().value).toBe('ROMÉ');
});

test('replaces the page with the evening after a valid code, and opens the letter', async () => {
  const { entries } = await openAccessPage({ access: replyWith(ADMITTED) });
  await send(' rom1 ');
  expect(entries()).toMatchObject([{ token: 'ROM1', device_id: expect.stringMatching(/^device-/) }]);
  expect(router.state).toMatchObject({
    historyAction: 'REPLACE',
    location: { pathname: '/experience', state: { token_id: 'id', token_value: 'ROM1' } },
  });
  expect(letter.state()).toMatchObject({ phase: 'opening', name: 'Giulia' });
});

test('sends no request without a code, and one request at a time', async () => {
  const { entries } = await openAccessPage();
  await send('  ');
  expect(entries()).toEqual([]);
  expect(warnings()).toEqual([accessTexts.empty]);
  expect(field().getAttribute('aria-invalid')).toBe('true');
  await send('rom1');
  await send('rom1');
  await pass(1_400);
  expect([entries().length, button()]).toEqual([1, `[${accessTexts.submit}${accessTexts.submitting} off]`]);
  await pass(100);
  expect(button()).toBe(`[${accessTexts.submitting} off]`);
  await pass(400);
  expect(button()).toBe(`[${accessTexts.submitting} off]`);
  await pass(100);
  expect(button()).toBe(`[${accessTexts.waiting} off]`);
});

test.each<[string, NonNullable<Answers['access']>, string, number, isLogged: boolean]>([
  [
    'a refusal, which is final: the next try is another entry',
    refused('CODE_INVALID'),
    'No: CODE_INVALID',
    2,
    false,
  ],
  [
    'the server’s own trouble, which leaves it open',
    refused('UNAVAILABLE', {}, 503),
    'No: UNAVAILABLE',
    1,
    true,
  ],
  ['a proxy’s answer', () => new Response('<html>', { status: 502 }), accessTexts.notChecked, 1, true],
  ['an answer that never comes', lost, networkTexts.offline, 1, false],
  ['what nobody expected', replyWith(null), accessTexts.unexpected, 2, true],
])('shows an error and accepts another attempt after %s', async (_what, access, sentence, ids, isLogged) => {
  const { entries } = await openAccessPage({ access });
  await send('rom1');
  expect([warnings(), field().getAttribute('aria-invalid')]).toEqual([[sentence], 'true']);
  expect(document.activeElement).toBe(field());
  expect(vi.mocked(console.error).mock.calls.length > 0).toBe(isLogged);
  await send('rom1');
  expect(new Set(entries().map(({ attempt_id }) => attempt_id)).size).toBe(ids);
  expect(router.state.location.pathname).toBe('/');
  fireEvent.input(field());
  expect(field().getAttribute('aria-invalid')).toBe('false');
});

test('sends ten requests with the same attempt id while the queue is full', async () => {
  const { entries } = await openAccessPage({ access: refused('TOO_MANY_ATTEMPTS', { secondi: 3 }, 429) });
  await send('rom1');
  for (let attempts = 1; attempts < 10; attempts += 1) {
    expect([entries().length, warnings()]).toEqual([attempts, []]);
    await pass(3_000);
  }
  expect([entries().length, warnings()]).toEqual([10, ['No: TOO_MANY_ATTEMPTS']]);
  expect(new Set(entries().map(({ attempt_id }) => attempt_id)).size).toBe(1);
});

test('automatically sends a code that was submitted before the scripts ran and restored after a reload', async () => {
  document.documentElement.dataset['form'] = 'early';
  sessionStorage.setItem('typed-code', 'rom-7kx2');
  const { entries } = await openAccessPage();
  expect(entries()).toMatchObject([{ token: 'ROM7KX2' }]);
  expect(document.documentElement.dataset['form']).toBe('alive');
});

describe('before the opening time', () => {
  const HOUR = '2027-02-14T20:00:00.000Z';
  const early = (secondi: number) => refused('TOO_EARLY', { opens_at: HOUR, secondi }, 403);
  let answer: NonNullable<Answers['access']>;
  const opensIn = async (seconds: number) => {
    answer = early(seconds);
    const server = await openAccessPage({ access: (body) => answer(body) });
    await send('rom1');
    return server;
  };
  const words = () => readPage().slice(3, -1);

  test('shows the opening time and a countdown without an error, and hides them when the code changes', async () => {
    await opensIn(90_061);
    expect(words()).toEqual([
      `alert: ${tooEarly(dayAndHour(HOUR))}`,
      `timer: ${countdownTexts.left}`,
      countdownTexts.stay,
    ]);
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain('ROM1');
    const timer = screen.getByRole('timer');
    expect(timer.textContent).toBe('1 giorno1 ora1 minuto1 secondo');
    await pass(2_000);
    expect([timer.textContent, warnings()]).toEqual(['1 giorno1 ora0 minuti59 secondi', []]);
    fireEvent.input(field());
    expect(words()).toEqual([]);
  });

  test('retries every minute, when the page becomes visible and at the opening time, then enters', async () => {
    const { entries } = await opensIn(100);
    await pass(59_999);
    expect(entries()).toHaveLength(1);
    answer = early(40);
    await pass(1);
    expect(entries()).toHaveLength(2);
    fireEvent(document, new Event('visibilitychange'));
    await pass();
    expect(entries()).toHaveLength(3);
    answer = replyWith(ADMITTED);
    await pass(40_000);
    expect([entries().length, router.state.location.pathname]).toEqual([4, '/experience']);
  });

  test('retries every 5 s after the opening time while the network is down', async () => {
    const { entries } = await opensIn(1);
    answer = lost;
    await pass(1_000);
    expect(words().at(-1)).toBe(countdownTexts.lost);
    await pass(4_999);
    expect(entries()).toHaveLength(2);
    await pass(1);
    expect([entries().length, warnings()]).toEqual([3, []]);
    answer = refused('CODE_EXPIRED');
    fireEvent(window, new Event('online'));
    await pass();
    expect([words(), warnings()]).toEqual([[], ['No: CODE_EXPIRED']]);
  });

  test('does not enter while the page is hidden', async () => {
    const { entries } = await opensIn(1);
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await pass(60_000);
    expect(entries()).toHaveLength(1);
  });
});

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME = 'Version/4.0 Chrome/130.0.6723.58 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
const EXTERNAL = 'instagram://extbrowser/?url=http%3A%2F%2Flocalhost%3A3000%2F';
const TOP = 'Tocca ••• in alto a destra › Apri nel browser';
const SAFARI = 'x-safari-http://localhost:3000/';
const LINE = 'http://localhost:3000/?openExternalBrowser=1';
const INTENT = 'intent://localhost:3000/#Intent;scheme=http;action=android.intent.action.VIEW;end';

describe('in-app browser hint', () => {
  const inside = async (agent: string) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent);
    await openAccessPage();
    await pass(2_000);
    return document.querySelector('aside');
  };
  const of = (browser: string) => `Tocca ⋮ in alto a destra › Apri in ${browser}`;
  const paste = 'Dal menu ••• scegli Apri nel browser, o incolla il link in Chrome';
  const messenger = '[FBAN/MessengerLiteForiOS;FBAV/480.0;FBLC/it_IT]';

  test.each<[app: string, agent: string, path: string, out: string | null, left?: string]>([
    ['Instagram', `${IPHONE} Instagram 380.0`, `${TOP} esterno`, EXTERNAL],
    ['Facebook', `${ANDROID} ${CHROME} [FB_IAB/FB4A;FBAV/490.0;]`, TOP, null],
    ['Messenger', `${IPHONE} ${messenger}`, TOP, SAFARI],
    ['Telegram', IPHONE, of('Safari'), SAFARI, 'TelegramWebviewProxy'],
    ['WhatsApp', `${IPHONE} WAiOS/25.3.80 WhatsApp/25.3.80`, 'Tocca ••• › Apri in Safari', SAFARI],
    ['TikTok', `${IPHONE} musical_ly_37.4.0 JsSdk/2.0 BytedanceWebview/d8a21c6`, TOP, SAFARI],
    ['LINE', `${ANDROID} ${CHROME} Line/14.19.0/IAB`, 'Tocca ⋮ › Apri nel browser predefinito', LINE],
    ['another', `${ANDROID} ${CHROME}`, paste, INTENT],
  ])('shows in %s the path to «open in the browser»: %s', async (_app, agent, path, out, left) => {
    if (left !== undefined) vi.stubGlobal(left, {});
    const link = out === null ? [] : [`<Apri nel browser → ${out}>`];
    expect(readPage((await inside(agent)) ?? expect.unreachable())).toEqual([
      inAppTexts.proposal(/Android/.test(agent) ? 'Chrome' : 'Safari'),
      path,
      ...link,
      '[Copia link]',
      '[Continua qui]',
    ]);
  });

  test('appears after 2 s, copies the link and stays dismissed while the tab is open', async () => {
    const agent = `${ANDROID} ${CHROME}`;
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent);
    await openAccessPage();
    await pass(1_999);
    expect(document.querySelector('aside')).toBeNull();
    await pass(1);
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await tap('Copia link');
    expect(copied.mock.calls).toEqual([['http://localhost:3000/']]);
    copied.mockRejectedValue(new Error('no'));
    document.execCommand = () => false;
    await tap('Copia link');
    expect(warnings()).toEqual(['http://localhost:3000/']);
    await tap('Continua qui');
    expect(document.querySelector('aside')).toBeNull();
    expect(await inside(agent)).toBeNull();
  });

  test.each([
    `${IPHONE.replace(' Mobile', ' Version/18.5 Mobile')} Safari/604.1`,
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
  ])('is not needed in a phone’s own browser: %s', (agent) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent);
    expect(isInAppBrowser()).toBe(false);
  });
});
