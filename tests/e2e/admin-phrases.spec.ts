import type { Locator, Page } from '@playwright/test';
import { expectAxeClean, expectFingerSized } from './support/accessible.ts';
import { type AdminSite, elsewhere, expect, expectNotice, phone, stored, test } from './support/admin.ts';

/** Texts of the evening: reordered by finger and keyboard, and not lost with the page or the network. */

const rows = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Elimina/ }) });
const handle = (page: Page, text: string) => page.getByRole('button', { name: `Trascina: ${text}` });
const addBox = (page: Page) => page.getByLabel('Nuova frase');
const box = (page: Page, position: number) => page.getByLabel(`Frase ${position}`, { exact: true });

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

test('changes the order by finger and keyboard, and keeps the preview in view', async ({
  page,
  adminSite,
}) => {
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

  await handle(page, 'Tre').focus();
  await page.keyboard.press('Space');
  const spoken = page.locator('[aria-live=assertive]');
  await expect(spoken.filter({ hasText: 'Frase sollevata: posizione 3 di 6.' })).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await expect(spoken.filter({ hasText: 'Ora in posizione 2 di 6.' })).toBeAttached();
  await page.keyboard.press('Space');
  await expect(spoken.filter({ hasText: 'Frase posata: dalla posizione 3 alla 2.' })).toBeAttached();
  await expectOrder(page, adminSite, ['Due', 'Tre', 'Uno', 'Quattro', 'Cinque', 'Sei']);

  // A new phrase is shown, in the height that a phone's keyboard leaves.
  await page.setViewportSize({ width: 390, height: 500 });
  await addBox(page).fill('Sette');
  await addBox(page).press('Enter');
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
  await expectAxeClean(page);
});

test('loses no phrase through a reload and an outage', async ({ page, adminSite, quiet }) => {
  quiet.allow(/ERR_INTERNET_DISCONNECTED/);
  page.on('dialog', (leaving) => void leaving.accept());
  await adminSite.open('/admin/frasi');
  await addBox(page).fill('A metà');
  await page.reload();
  await expect(addBox(page)).toHaveValue('A metà');
  await page.context().setOffline(true);
  await addBox(page).press('Enter');
  await expect(page.getByRole('alert').getByText(/^Connessione assente/)).toBeVisible();
  await expect(rows(page).getByText('Non salvata')).toBeVisible();
  await page.context().setOffline(false);
  await expectOrder(page, adminSite, ['A metà']);
});
