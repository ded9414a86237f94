import type { Locator, Page } from '@playwright/test';
import { expectAxeClean } from './support/accessible.ts';
import { type AdminSite, expect, laptop, test } from './support/admin.ts';
import { expectToast, place, save, stored } from './support/content.ts';

/** The pages with several parts: each address leads to its own, and each part saves what is its own and nothing else. */

const phone = { viewport: { width: 390, height: 844 } };

/** The address, and the heading of the part it leads to. */
const PLACES = [
  ['/admin/testi-destinazione', 'Testi della destinazione'],
  ['/admin/biglietti', 'Biglietti'],
  ['/admin/ticket-instruction', 'Istruzioni dei biglietti'],
  ['/admin/biglietti#date', 'Date del viaggio'],
  ['/admin/immagine', 'Immagine della destinazione'],
  ['/admin/second-trip-details#biglietti', 'Biglietti del secondo viaggio'],
  ['/admin/second-trip-details#dettagli', 'Titoli, date e istruzioni'],
  ['/admin/second-trip-details', 'Immagine del secondo viaggio'],
] as const;

for (const [where, screen] of [
  ['a phone', phone],
  ['a laptop', laptop],
] as const) {
  test.describe(`on ${where}`, () => {
    test.use(screen);

    test('every address of a page with parts lands at its own, in view and with the focus', {
      tag: where === 'a laptop' ? '@long' : [],
    }, async ({ page, adminSite }) => {
      for (const [path, name] of PLACES) {
        await test.step(path, async () => {
          await adminSite.open(path);
          await expectLanded(page, name);
        });
      }
    });
  });
}

test.describe('on a phone', () => {
  test.use(phone);

  test('from part to part one goes by the links at the head, and nothing that is written is left behind', {
    tag: '@long',
  }, async ({ page, adminSite }) => {
    await adminSite.open('/admin/immagine');
    await page.getByLabel('Data di partenza').fill('  ');
    const links = page.getByRole('navigation', { name: 'In questa pagina' });
    await page.getByLabel('Istruzioni', { exact: true }).fill('');
    for (const [link, name, address] of [
      ['Testi', 'Testi della destinazione', '/admin/testi-destinazione'],
      ['Date', 'Date del viaggio', '/admin/biglietti#date'],
      ['Istruzioni', 'Istruzioni dei biglietti', '/admin/ticket-instruction'],
      ['Immagine', 'Immagine della destinazione', '/admin/immagine'],
    ] as const) {
      await links.getByRole('link', { name: link, exact: true }).tap();
      await expect(page).toHaveURL(adminSite.server.url + address);
      await expectLanded(page, name);
    }
    // An empty instruction can't be saved: it isn't asked about while one stays on the page, and is still what it was.
    await expect(page.getByLabel('Istruzioni', { exact: true })).toHaveValue('');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expectAxeClean(page);
  });
});

test.describe('what is written in several parts', () => {
  test.use(laptop);

  test('saving one part leaves what is written in the others, and leaving saves them', {
    tag: '@long',
  }, async ({ page, adminSite }) => {
    await adminSite.open('/admin/biglietti');
    const saves = holdSaves(page);
    await saves.hold();
    await page.getByLabel('Titolo del viaggio').fill('Noi due');
    await save(place(page, 'Testi della destinazione'));
    await page.getByLabel('Istruzioni', { exact: true }).fill('Poi torna qui.');
    await page.getByLabel('Data di partenza').fill('3 marzo 2027');
    saves.letGo();
    await expectToast(page, 'Configurazione salvata con successo!');
    await expect(page.getByLabel('Istruzioni', { exact: true })).toHaveValue('Poi torna qui.');
    await expect(page.getByLabel('Data di partenza')).toHaveValue('3 marzo 2027');
    await page.getByRole('link', { name: 'Torna al pannello' }).click();
    await expect(page).toHaveURL(/dashboard$/);
    expect(await written(adminSite)).toEqual(['Noi due', 'Poi torna qui.', '3 marzo 2027']);
  });

  test('where one part can’t be saved leaving asks about it, and saves the others all the same', {
    tag: '@long',
  }, async ({ page, adminSite }) => {
    await adminSite.open('/admin/immagine');
    await page.getByLabel('Istruzioni', { exact: true }).fill('');
    await page.getByLabel('Data di partenza').fill('3 marzo 2027');
    await page.getByRole('link', { name: 'Torna al pannello' }).click();
    const asked = page.getByRole('dialog', { name: 'Modifiche non salvate' });
    await asked.getByRole('button', { name: 'Esci senza salvare' }).click();
    await expect(page).toHaveURL(/dashboard$/);
    expect(await written(adminSite)).toEqual([null, null, '3 marzo 2027']);
  });
});

/** The heading has the focus, and nothing lies over it. */
async function expectLanded(page: Page, name: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 2, name, exact: true });
  await expect(heading).toBeFocused();
  await expect.poll(() => isInSight(heading), name).toBe(true);
}

function isInSight(heading: Locator): Promise<boolean> {
  return heading.evaluate((element) => {
    const { left, top, bottom, width } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + Math.min(width / 2, 40), (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && there === element;
  });
}

/** Keeps the saves of the page on their way until they are let go. */
function holdSaves(page: Page) {
  const gone = Promise.withResolvers<void>();
  return {
    hold: () =>
      page.route('**/api/admin/config', async (route) => {
        if (route.request().method() === 'PATCH') await gone.promise;
        await route.continue();
      }),
    letGo: () => gone.resolve(),
  };
}

/** What is stored of three parts: texts, instruction and dates. */
async function written(adminSite: AdminSite) {
  const { titolo_viaggio, testo_istruzioni_biglietti, data_partenza } = await stored(adminSite);
  return [titolo_viaggio, testo_istruzioni_biglietti, data_partenza];
}

test('reloads a page whose chunk an update removed, after saving what was typed', async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/status of 404|dynamically imported module/);
  await adminSite.open('/admin/video-button');
  await page.getByLabel('Testo del pulsante').fill('Andiamo?');
  const reloads: string[] = [];
  page.on(
    'request',
    (request) => request.isNavigationRequest() && reloads.push(new URL(request.url()).pathname),
  );
  await page.route('**/assets/*.js', (route) =>
    reloads.length === 0 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  );
  const loaded = page.waitForEvent('load');
  await page.getByRole('link', { name: 'Torna al pannello' }).click();
  await loaded;
  expect(reloads).toEqual(['/admin/dashboard']);
  await adminSite.open('/admin/video-button');
  await expect(page.getByLabel('Testo del pulsante')).toHaveValue('Andiamo?');
});
