import type { Page } from '@playwright/test';
import { fillIn } from '../../demo/prepare.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import type { AdminSite } from './support/admin.ts';
import { expect, test } from './support/admin.ts';
import { twoTrips } from './support/surprises.ts';
import { probe } from './support/walk.ts';

/** `/diagnostica` on a phone: tried by real taps, in real time. */

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { name })).toBeVisible();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).tap();
const skipTo = async (page: Page, name: string) => {
  await press(page, 'Salta');
  await heading(page, name);
};

type Phone = { nome: string; verdict: string; faults: string[]; untried: string[]; findings: object };

async function open(page: Page, { admin, server }: AdminSite): Promise<void> {
  const wish = { nome: 'Il telefono di Giulia' };
  const { pass } = await admin.call<{ pass: string }>('POST', '/admin/diagnosis/pass', wish);
  await page.context().clearCookies();
  await page.goto(`${server.url}/diagnostica#${pass}`);
  await heading(page, 'Proviamo questo telefono');
  // The pass doesn’t stay where somebody could read it.
  expect(page.url()).toBe(`${server.url}/diagnostica`);
}

const phones = async ({ admin }: AdminSite) =>
  (await admin.call<{ phones: Phone[] }>('GET', '/admin/diagnosis')).phones;

/** The page is hidden and shown as a phone does it; nothing that the page could take for a gesture. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  const state = hidden ? 'hidden' : 'visible';
  await probe(
    page,
    `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
     Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
     document.dispatchEvent(new Event('visibilitychange'))`,
  );
}

/** Nobody leaves before the page itself knows that the film plays: it hears of each second after its own listeners. */
const MOVES = `window.moves = false; (() => {
  const film = document.querySelector('video');
  film.addEventListener('timeupdate', () => {
    if (film.currentTime > 0.3 && !film.paused) setTimeout(() => { window.moves = true; });
  });
})()`;

async function leaveAndReturn(page: Page): Promise<void> {
  await press(page, 'Avanti');
  await probe(page, MOVES);
  await press(page, 'Fai partire il film');
  await expect.poll(() => probe(page, 'window.moves')).toBe(true);
  await setHidden(page, true);
  await expect.poll(() => probe(page, 'document.querySelector("video").paused')).toBe(true);
  await setHidden(page, false);
}

test('tries a phone from the tap to the last question, and says what to do @iphone-first', async ({
  page,
  adminSite,
}) => {
  test.slow();
  await open(page, adminSite);
  await expectAxeClean(page);
  await press(page, 'Comincia');
  await heading(page, 'Ora un breve film');
  await expect(page.getByText('3 di 13')).toBeVisible();
  await press(page, 'Avanti');
  await press(page, 'Fai partire il film');
  await heading(page, 'Senti la musica?');
  await expectAxeClean(page, ['color-contrast', 'button-name', 'label', 'list']);
  await press(page, 'Sì');
  await press(page, 'Abbassa la musica');
  await press(page, 'Sì');
  await heading(page, 'Durante il film si sentiva il suono?');
  await press(page, 'No');
  await expect(page.getByRole('button', { name: 'Rivedi il film' })).toBeVisible();
  await press(page, 'Ancora no');
  await heading(page, 'Il film riempiva lo schermo?');
  await press(page, 'Sì');
  await heading(page, 'Sul film c’erano dei pulsanti?');
  await press(page, 'No');
  await heading(page, 'Gira il telefono di lato');
  const before = page.viewportSize() ?? { width: 390, height: 844 };
  await page.setViewportSize({ width: before.height, height: before.width });
  await heading(page, 'Prova a tornare indietro');
  await page.setViewportSize(before);
  await probe(page, 'history.back()');
  await heading(page, 'Passa a un’altra app');
  expect(page.url()).toBe(`${adminSite.server.url}/diagnostica`);
  await leaveAndReturn(page);
  await heading(page, 'Blocca lo schermo');
  await leaveAndReturn(page);
  await heading(page, 'Apri un documento');
  const link = page.getByRole('link', { name: 'Apri il biglietto di prova' });
  // What an app shows of the web keeps no file.
  const keepsFiles = test.info().project.name !== 'webview';
  if (keepsFiles) {
    const [download] = await Promise.all([page.waitForEvent('download'), link.tap()]);
    expect(download.suggestedFilename()).toBe('biglietto-di-prova.pdf');
  } else await link.tap();
  await press(page, keepsFiles ? 'Sì' : 'No');
  await heading(page, 'Il telefono non è ancora pronto');
  await expect(page.getByText('L’esito è arrivato a chi ti ha chiesto la prova')).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveValue(/^Il telefono non è ancora pronto \(.+\)\n– Il suono/);
  await expectAxeClean(page, ['color-contrast', 'button-name', 'label', 'list']);
  const [phone] = await phones(adminSite);
  expect(phone).toMatchObject({ nome: 'Il telefono di Giulia', verdict: 'bad', untried: [] });
  // This browser keeps no screen on, and an app's neither files nor what a page notes.
  const faults = keepsFiles ? ['silent', 'sleeps'] : ['silent', 'storage_lost', 'sleeps', 'ticket_lost'];
  expect(phone?.faults).toEqual(faults);
});

/** What a bad phone is: an app's browser that keeps nothing, saves data, has huge letters and no line to films. */
function badPhone(): void {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException('not here', 'SecurityError');
      },
    });
  Object.defineProperty(Navigator.prototype, 'userAgent', {
    get: () => 'Mozilla/5.0 (Linux; Android 16; Pixel 10) Chrome/157.0.0.0 Mobile Instagram 400.0.0',
  });
  Object.defineProperty(Navigator.prototype, 'connection', { get: () => ({ saveData: true }) });
  addEventListener('DOMContentLoaded', () => {
    document.documentElement.style.fontSize = '32px';
  });
}

test('finds each fault of a bad phone, shows nothing of the evening, and is heard of without cookies', {
  tag: '@long',
}, async ({ page, adminSite, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  await page.addInitScript(badPhone);
  await page.route('**/lungo.mp4', (route) => route.abort());
  await open(page, adminSite);
  // The browser keeps none.
  await page.context().clearCookies();
  await page.setViewportSize({ width: 320, height: 568 });
  await expectNoSidewaysScroll(page);
  const wayOut = page.getByText(/Tocca ••• in alto a destra › Apri nel browser esterno\.$/);
  await expect(wayOut).toBeVisible();
  await press(page, 'Comincia');
  await heading(page, 'Ora un breve film');
  await skipTo(page, 'Senti la musica?');
  await press(page, 'Fai partire la musica');
  await press(page, 'Sì');
  await press(page, 'Abbassa la musica');
  await press(page, 'No');
  await heading(page, 'Gira il telefono di lato');
  await press(page, 'Non gira');
  await heading(page, 'Prova a tornare indietro');
  await skipTo(page, 'Passa a un’altra app');
  await skipTo(page, 'Blocca lo schermo');
  await skipTo(page, 'Apri un documento');
  await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Apri il biglietto di prova' }).tap(),
  ]);
  await press(page, 'No');
  await heading(page, 'Il telefono non è ancora pronto');
  await expect(page.getByText('L’esito è arrivato a chi ti ha chiesto la prova')).toBeVisible();
  await expect(
    page.getByText('aprilo in Safari o Chrome, non dentro WhatsApp o Instagram').first(),
  ).toBeVisible();
  await expect(wayOut).toBeVisible();
  await expectNoSidewaysScroll(page);
  const [phone] = await phones(adminSite);
  expect(phone?.faults).toEqual([
    'cookies_lost',
    'line_none',
    'in_app',
    'storage_lost',
    'saves_data',
    'not_faded',
    'turn_locked',
    'ticket_lost',
    'letters_huge',
  ]);
  expect(phone?.untried).toEqual(['film', 'sound', 'picture', 'buttons', 'back', 'away', 'lock']);
});

/** A phone that takes the screen's lock away after a moment, although the page is looked at. */
function forgetfulPhone(): void {
  class Lock extends EventTarget {
    release = async () => void this.dispatchEvent(new Event('release'));
  }
  Object.defineProperty(Navigator.prototype, 'wakeLock', {
    get: () => ({
      request: async () => {
        const lock = new Lock();
        document.querySelector('video')?.addEventListener('playing', lock.release);
        return lock;
      },
    }),
  });
}

test('brings nothing of the evening to the phone, and notes a screen that is not kept on', {
  tag: '@long',
}, async ({ page, adminSite }) => {
  await fillIn(adminSite.server, adminSite.admin, twoTrips);
  await adminSite.admin.call('POST', '/admin/tokens', { nome: 'Giulia', max_accessi: 1 });
  const { config, questions, tokens } = {
    config: await adminSite.admin.call<{ dress: string }>('GET', '/admin/config'),
    questions: await adminSite.admin.call<object>('GET', '/admin/questions'),
    tokens: await adminSite.admin.call<{ token: string }[]>('GET', '/admin/tokens'),
  };
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (!/\.(mp4|mp3|m4a|woff2|png|pdf)$/.test(response.url())) bodies.push(response.text().catch(() => ''));
  });
  await page.addInitScript(forgetfulPhone);
  await open(page, adminSite);
  await press(page, 'Comincia');
  await heading(page, 'Ora un breve film');
  await press(page, 'Avanti');
  await press(page, 'Fai partire il film');
  await heading(page, 'Senti la musica?');
  const received = (await Promise.all(bodies)).join('\n');
  expect(received).toContain('diagnosi');
  // What it wears every page shows.
  const secrets = textsOf([{ ...config, dress: null }, questions, tokens.map(({ token }) => token)]);
  expect(secrets.length).toBeGreaterThan(20);
  expect(secrets.filter((text) => received.includes(text))).toEqual([]);
  await expect.poll(async () => (await phones(adminSite))[0]?.faults).toContain('sleeps');
});

/** Every text in it that is long enough not to be found by chance. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.length > 4 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test('without a pass says in a sentence what it needs', async ({ page, adminSite }) => {
  await page.goto(`${adminSite.server.url}/diagnostica`);
  await expect(page.getByText(/^Per cominciare serve il codice QR/)).toBeVisible();
  await page.goto(`${adminSite.server.url}/diagnostica#scaduto`);
  await heading(page, 'Questo codice QR non vale più');
});
