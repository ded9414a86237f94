import type { Page } from '@playwright/test';
import { tooOldPhone } from '../../src/texts/access.ts';
import { expectAxeClean } from './support/accessible.ts';
import { FILM, setHidden } from './support/film.ts';
import { type Evening, expect, still, test } from './support/stage.ts';
import { twoTrips } from './support/surprises.ts';
import { probe } from './support/walk.ts';

/** `/diagnostica` on a phone, with real taps, in real time. */
test.use(still);

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { name })).toBeVisible();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).tap();

type Phone = { nome: string; verdict: string; faults: string[]; untried: string[]; findings: object };

async function open(page: Page, { admin, server: { url } }: Evening): Promise<void> {
  await page.goto(`${url}/diagnostica`);
  await expect(page.getByText(/^Per cominciare serve il codice QR/)).toBeVisible();
  await page.goto(`${url}/diagnostica#scaduto`);
  await heading(page, 'Questo codice QR non vale più');
  const wish = { nome: 'Il telefono di Giulia' };
  const { pass } = await admin.call<{ pass: string }>('POST', '/admin/diagnosis/pass', wish);
  await page.goto(`${url}/diagnostica#${pass}`);
  await heading(page, 'Proviamo questo telefono');
  // The pass is removed from the address.
  expect(page.url()).toBe(`${url}/diagnostica`);
}

const phones = async ({ admin }: Evening) =>
  (await admin.call<{ phones: Phone[] }>('GET', '/admin/diagnosis')).phones;

/** Waits until the page itself knows that the film plays: this handler runs after the page's own listeners. */
const MOVES = `window.moves = false; (() => {
  const film = ${FILM};
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
  await expect.poll(() => probe(page, `${FILM}.paused`)).toBe(true);
  await setHidden(page, false);
}

/** Returns all texts that are too long to be found by chance. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.length > 4 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test('tests a phone, shows what to do, and sends nothing of the evening', {
  tag: '@iphone',
}, async ({ page, prepare }) => {
  const evening = await prepare(twoTrips);
  const { token } = await evening.code();
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (!/\.(mp4|mp3|m4a|woff2|png|pdf)$/.test(response.url())) bodies.push(response.text().catch(() => ''));
  });
  await open(page, evening);
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
  expect(page.url()).toBe(`${evening.server.url}/diagnostica`);
  await leaveAndReturn(page);
  await heading(page, 'Blocca lo schermo');
  await leaveAndReturn(page);
  await heading(page, 'Apri un documento');
  const link = page.getByRole('link', { name: 'Apri il biglietto di prova' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.tap()]);
  expect(download.suggestedFilename()).toBe('biglietto-di-prova.pdf');
  await press(page, 'Sì');
  await heading(page, 'Il telefono non è ancora pronto');
  await expect(page.getByText('L’esito è arrivato a chi ti ha chiesto la prova')).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveValue(/^Il telefono non è ancora pronto \(.+\)\n– Il suono/);
  await expectAxeClean(page, ['color-contrast', 'button-name', 'label', 'list']);
  const [phone] = await phones(evening);
  // This browser can't keep the screen on.
  const faults = ['silent', 'sleeps'];
  expect(phone).toMatchObject({ nome: 'Il telefono di Giulia', verdict: 'bad', faults, untried: [] });
  const received = (await Promise.all(bodies)).join('\n');
  expect(received).toContain('diagnosi');
  // Every page shows the dress.
  const config = { ...(await evening.admin.call<object>('GET', '/admin/config')), dress: null };
  const secrets = textsOf([config, await evening.admin.call<object>('GET', '/admin/questions'), token]);
  expect(secrets.length).toBeGreaterThan(20);
  expect(secrets.filter((text) => received.includes(text))).toEqual([]);
});

test('shows on every page that a phone is too old', async ({ page, lodge, quiet }) => {
  quiet.allow(/./);
  await page.addInitScript('delete Array.prototype.at; delete Object.hasOwn; delete window.structuredClone;');
  for (const path of ['/', '/diagnostica', '/ricordo']) {
    await page.goto(`${lodge.url}${path}`);
    await expect(page.getByRole('alert')).toHaveText(tooOldPhone);
  }
});
