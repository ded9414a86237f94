import { expectFingerSized } from './support/accessible.ts';
import { expect, test } from './support/admin.ts';
import { elsewhere, expectToast, phone } from './support/content.ts';
import { box, expectOrder, handle, middle } from './support/phrases.ts';

/** The phrases on a phone: an order changed by finger, and what stays in sight. */

test('on a phone the order changes by finger', async ({ page, adminSite }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await elsewhere(adminSite, { frasi_pre_video: ['Uno', 'Due', 'Tre'] });
  await adminSite.open('/admin/frasi');
  // Below what stays at the top, and far from the edges where a drag scrolls the page.
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
  await expectToast(page, 'Ordine salvato');
  await expectOrder(page, adminSite, ['Due', 'Uno', 'Tre']);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test('on a phone the preview and the state of saving stay in sight while somebody types', async ({
  page,
  adminSite,
}) => {
  await elsewhere(adminSite, { frasi_pre_video: Array.from({ length: 12 }, (_, n) => `Frase numero ${n}`) });
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 360, height: 640 },
  ]) {
    await page.setViewportSize(viewport);
    await adminSite.open('/admin/frasi');
    await box(page, 12).tap();
    await page.keyboard.type('!');
    for (const seen of [page.getByRole('button', { name: 'Salva' }), page.locator('iframe'), box(page, 12)])
      await expect(seen).toBeInViewport({ ratio: 0.9 });
    await expect(
      phone(page)
        .getByText(/Frase numero 11!+/)
        .first(),
    ).toBeAttached();
    await expectFingerSized(page);
  }
  // Small it is, and can be seen large.
  await page.getByRole('button', { name: 'Ingrandisci' }).tap();
  const large = page.getByRole('dialog', { name: 'Prima del video' }).locator('iframe');
  await expect(large).toBeInViewport({ ratio: 0.9 });
  expect((await large.boundingBox())?.height).toBeGreaterThan(360);
});
