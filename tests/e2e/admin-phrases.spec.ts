import type { Locator, Page } from '@playwright/test';
import { expectAxeClean, expectFingerSized } from './support/accessible.ts';
import {
  type AdminSite,
  elsewhere,
  expect,
  expectNotice,
  laptop,
  phone,
  stored,
  test,
  undo,
} from './support/admin.ts';

/** Phrases and other texts of the evening: saved automatically, and reordered by mouse, finger and keyboard. */

const rows = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Elimina/ }) });
const handle = (page: Page, text: string) => page.getByRole('button', { name: `Trascina: ${text}` });
const addBox = (page: Page) => page.getByLabel('Nuova frase');
const box = (page: Page, position: number) => page.getByLabel(`Frase ${position}`, { exact: true });

async function add(page: Page, text: string): Promise<void> {
  await addBox(page).fill(text);
  await addBox(page).press('Enter');
}

/** Checks that the screen shows what is stored. */
async function expectOrder(page: Page, site: AdminSite, texts: string[]): Promise<void> {
  await expect.poll(async () => (await stored(site)).frasi_pre_video).toEqual(texts);
  await expect(rows(page)).toHaveCount(texts.length);
  for (const [index, text] of texts.entries()) await expect(box(page, index + 1)).toHaveValue(text);
}

async function middle(locator: Locator): Promise<{ x: number; y: number }> {
  const place = await locator.boundingBox();
  if (place === null) throw new Error('Not on the screen');
  return { x: place.x + place.width / 2, y: place.y + place.height / 2 };
}

/** Blocks the channel by which a page learns of another window's changes. */
const deaf = (page: Page) => page.route('**/api/admin/events', (route) => route.abort());

test.describe('on a laptop', () => {
  test.use(laptop);

  test('adds, pastes, edits, removes and restores phrases', { tag: '@long' }, async ({ page, adminSite }) => {
    test.slow();
    const seen = (text: string) =>
      expect(phone(page).getByText(text, { exact: true }).first()).toBeAttached();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await adminSite.open('/admin/frasi');
    await expect(phone(page).getByText('Senza frasi questo momento viene saltato.')).toBeVisible();
    // One after another without waiting: no save conflicts with another's version.
    for (const text of ['  Uno  ', 'Due', 'Tre']) await add(page, text);
    await expectOrder(page, adminSite, ['Uno', 'Due', 'Tre']);
    await expectNotice(page, 'Frase aggiunta e salvata');
    await seen('Tre');
    await box(page, 2).fill('Due, meglio');
    await seen('Due, meglio');
    await expect(page.getByText('Salvato', { exact: true })).toBeVisible();
    await expectOrder(page, adminSite, ['Uno', 'Due, meglio', 'Tre']);
    await expect(box(page, 2)).toBeFocused();

    await page.evaluate(() => navigator.clipboard.writeText('Quattro\ne mezzo\n\nCinque'));
    await addBox(page).focus();
    await page.keyboard.press('Control+V');
    const asked = page.getByRole('group', { name: 'Hai incollato 3 righe' });
    await expect(asked.getByRole('button', { name: '2 frasi, una per paragrafo' })).toBeFocused();
    await expectAxeClean(page);
    await page.keyboard.press('Enter');
    await expectOrder(page, adminSite, ['Uno', 'Due, meglio', 'Tre', 'Quattro\ne mezzo', 'Cinque']);
    await expectNotice(page, '2 frasi aggiunte e salvate');
    await page.getByRole('button', { name: 'Elimina: Tre' }).click();
    await expectNotice(page, 'Frase rimossa');
    await expectOrder(page, adminSite, ['Uno', 'Due, meglio', 'Quattro\ne mezzo', 'Cinque']);
    await undo(page);
    await expectNotice(page, 'Di nuovo com’era');
    await expectOrder(page, adminSite, ['Uno', 'Due, meglio', 'Tre', 'Quattro\ne mezzo', 'Cinque']);

    // The other list is separate, and a phrase longer than the phone's screen is shown to its end.
    await page.getByRole('tab', { name: /Frasi Post-Video/ }).click();
    await add(page, 'Una lunga frase che non finisce mai. '.repeat(54).trim());
    await expect.poll(async () => (await stored(adminSite)).frasi).toHaveLength(1);
    expect((await stored(adminSite)).frasi_pre_video).toHaveLength(5);
    const glass = page.getByRole('group', { name: 'Dopo il video: schermo da scorrere' });
    const place = () =>
      phone(page)
        .locator('section')
        .evaluate((scene) => scene.scrollTop / (scene.scrollHeight - scene.clientHeight));
    await glass.press('End');
    await expect.poll(place).toBeGreaterThan(0.99);
    await glass.hover();
    await page.mouse.wheel(0, -9_000);
    await expect.poll(place).toBe(0);
  });

  test('changes the order by mouse, by keyboard and by the arrow buttons', async ({ page, adminSite }) => {
    await elsewhere(adminSite, { frasi_pre_video: ['Uno', 'Due', 'Tre'] });
    await adminSite.open('/admin/frasi');
    // Near its edge the window would scroll, by a distance that depends on time.
    await handle(page, 'Due').evaluate((row) => row.scrollIntoView({ block: 'center' }));
    const from = await middle(handle(page, 'Uno'));
    const to = await middle(handle(page, 'Tre'));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x, to.y + 12, { steps: 10 });
    await page.mouse.up();
    await expectNotice(page, 'Ordine salvato');
    await expectOrder(page, adminSite, ['Due', 'Tre', 'Uno']);

    await handle(page, 'Uno').focus();
    await page.keyboard.press('Space');
    const spoken = page.locator('[aria-live=assertive]');
    await expect(spoken.filter({ hasText: 'Frase sollevata: posizione 3 di 3.' })).toBeAttached();
    await page.keyboard.press('ArrowUp');
    await expect(spoken.filter({ hasText: 'Ora in posizione 2 di 3.' })).toBeAttached();
    await page.keyboard.press('Space');
    await expect(spoken.filter({ hasText: 'Frase posata: dalla posizione 3 alla 2.' })).toBeAttached();
    await expectOrder(page, adminSite, ['Due', 'Uno', 'Tre']);

    await page.getByRole('button', { name: 'Sposta giù: Due' }).click();
    await expectOrder(page, adminSite, ['Uno', 'Due', 'Tre']);
    await expect(page.getByRole('button', { name: 'Sposta giù: Due' })).toBeFocused();
    await page.getByRole('button', { name: 'Sposta su: Uno' }).press('Enter');
    await expectOrder(page, adminSite, ['Uno', 'Due', 'Tre']);
  });

  test('loses no text through reloads, outages or other windows', async ({ page, adminSite, quiet }) => {
    quiet.allow(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
    test.slow();
    await deaf(page);
    page.on('dialog', (leaving) => void leaving.accept());
    await adminSite.open('/admin/frasi');
    await addBox(page).fill('A metà');
    await page.reload();
    await expect(addBox(page)).toHaveValue('A metà');
    await page.context().setOffline(true);
    await addBox(page).press('Enter');
    await expect(page.getByRole('alert').getByText(/^Connessione assente/)).toBeVisible();
    await expect(rows(page).getByText('Non salvata')).toBeVisible();
    await elsewhere(adminSite, { frasi_pre_video: ['Loro'] });
    await page.context().setOffline(false);
    // When the network returns it saves automatically, and the other window's phrase is there too.
    await expectOrder(page, adminSite, ['Loro', 'A metà']);

    await adminSite.open('/admin/frasi-finali');
    const yes = page.getByLabel('Se risponde due volte sì');
    const frasi_finali = async () => (await stored(adminSite)).frasi_finali;
    await yes.pressSequentially('Ti amo');
    await expect.poll(frasi_finali).toMatchObject({ entrambi_si: 'Ti amo' });
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
    await page.context().setOffline(true);
    await yes.press('!');
    await expect(page.getByRole('alert').getByText(/^Connessione assente/)).toBeVisible();
    await page.context().setOffline(false);
    await expect.poll(frasi_finali).toMatchObject({ entrambi_si: 'Ti amo!' });

    // Text that couldn't be saved before a reload is offered again. If both windows changed a text, the user chooses one.
    const lost = /\/api\/admin\/config$/;
    await page.route(lost, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    );
    await yes.fill('Mia');
    await expect(page.getByRole('alert').getByText(/^Connessione assente/)).toBeVisible();
    await page.reload();
    await expect(yes).toHaveValue('Ti amo!');
    await page.unroute(lost);
    await elsewhere(adminSite, { frasi_finali: { entrambi_si: 'Loro', entrambi_no: 'No', misto: '' } });
    await page.getByRole('button', { name: 'Ripristina il testo non salvato' }).click();
    const choice = page.getByRole('group', { name: 'Se risponde due volte sì' });
    await expect(choice.getByText('Loro')).toBeVisible();
    expect(await frasi_finali()).toMatchObject({ entrambi_si: 'Loro' });
    await choice.getByRole('button', { name: 'Tieni il mio testo' }).click();
    await expect.poll(frasi_finali).toEqual({ entrambi_si: 'Mia', entrambi_no: 'No', misto: '' });
    await expect(page.getByLabel('Se risponde due volte no')).toHaveValue('No');

    // Leaving the page saves the rest, and asks about text that can't be saved.
    await yes.fill('');
    await undo(page);
    await expect(yes).toHaveValue('Mia');
    await yes.pressSequentially(' sola');
    await page.getByRole('link', { name: 'Torna al pannello' }).click();
    await expect(page).toHaveURL(/dashboard$/);
    expect(await frasi_finali()).toMatchObject({ entrambi_si: 'Mia sola' });
    await adminSite.open('/admin/checkbox');
    await page.getByLabel('Prima domanda').fill('Partiamo?');
    await page.getByRole('link', { name: 'Torna al pannello' }).click();
    const asked = page.getByRole('dialog', { name: 'Modifiche non salvate' });
    await expect(asked.getByRole('button', { name: 'Salva ed esci' })).toHaveCount(0);
    await asked.getByRole('button', { name: 'Resta qui' }).click();
    const second = page.getByLabel('Seconda domanda');
    await second.fill('Ceniamo');
    await expect(phone(page).getByRole('heading', { name: 'Partiamo?' })).toBeVisible();
    await second.press('?');
    await expect(phone(page).getByRole('heading', { name: 'Ceniamo?' })).toBeVisible();
    await expect(second).toBeFocused();
    await expect
      .poll(() => adminSite.admin.call('GET', '/admin/questions'))
      .toMatchObject({ domanda_1: 'Partiamo?', domanda_2: 'Ceniamo?' });
  });

  test('continues after an update removed scripts', { tag: '@long' }, async ({
    page,
    context,
    adminSite,
    quiet,
  }) => {
    quiet.allow(/status of 404|dynamically imported module|ERR_INTERNET_DISCONNECTED/);
    await adminSite.open('/admin/video-button');
    await expect(phone(page).getByText('Inizia Esperienza')).toBeVisible();
    await page.getByLabel('Testo del pulsante').fill('Andiamo?');
    await expect(phone(page).getByText('Andiamo?')).toBeVisible();
    const reloads: string[] = [];
    page.on(
      'request',
      (request) => request.isNavigationRequest() && reloads.push(new URL(request.url()).pathname),
    );
    const scripts = '**/assets/*.js';
    await page.route(scripts, (route) =>
      reloads.length === 0 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    );
    const loaded = page.waitForEvent('load');
    await page.getByRole('link', { name: 'Torna al pannello' }).click();
    await loaded;
    expect(reloads).toEqual(['/admin/dashboard']);
    expect((await stored(adminSite)).video_button_text).toBe('Andiamo?');
    await page.unroute(scripts);

    // Without a network the page shows an error in its place, and loads automatically later.
    await adminSite.open('/admin/logs');
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await context.setOffline(true);
    await menu.getByRole('link', { name: 'Musica' }).click();
    await expect(page.getByRole('main').getByText('Connessione assente.')).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByRole('button', { name: 'Scegli una canzone' })).toBeVisible();
  });
});

test('changes the order by finger, and keeps the preview in view', async ({ page, adminSite }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await elsewhere(adminSite, { frasi_pre_video: ['Uno', 'Due', 'Tre', 'Quattro', 'Cinque', 'Sei'] });
  await adminSite.open('/admin/frasi');
  // Below the fixed header, and far from the edges where a drag scrolls the page.
  await handle(page, 'Uno').evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const from = await middle(handle(page, 'Uno'));
  const to = await middle(handle(page, 'Due'));
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: from.x, y }],
    });
  await touch('touchStart', from.y);
  // The finger rests until the phrase is lifted.
  await expect(page.locator('li[data-dragging=true]')).toBeVisible();
  // Its lower edge has passed the other's middle.
  for (let step = 1; step <= 8; step++)
    await touch('touchMove', from.y + ((to.y - from.y) * 0.75 * step) / 8);
  await touch('touchEnd', 0);
  await expectNotice(page, 'Ordine salvato');
  await expectOrder(page, adminSite, ['Due', 'Uno', 'Tre', 'Quattro', 'Cinque', 'Sei']);

  // A new phrase is shown, in the height that a phone's keyboard leaves.
  await page.setViewportSize({ width: 390, height: 500 });
  await add(page, 'Sette');
  await expect(box(page, 7)).toBeInViewport();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.getByRole('button', { name: 'Elimina: Sette' }).tap();

  await box(page, 6).tap();
  await page.keyboard.type('!');
  for (const seen of [page.getByText('Salvato', { exact: true }), page.locator('iframe'), box(page, 6)])
    await expect(seen).toBeInViewport({ ratio: 0.9 });
  await expect(phone(page).getByText('Sei!').first()).toBeAttached();
  await expectFingerSized(page);
  // The preview is small and can be enlarged.
  await page.getByRole('button', { name: 'Ingrandisci' }).tap();
  const large = page.getByRole('dialog', { name: 'Prima del video' }).locator('iframe');
  await expect(large).toBeInViewport({ ratio: 0.9 });
  expect((await large.boundingBox())?.height).toBeGreaterThan(360);
  await expect(large.contentFrame().getByText('Sei!').first()).toBeAttached();
});
