import type { Locator } from '@playwright/test';
import { expectAxeClean } from './support/accessible.ts';
import { expect, expectNotice, laptop, part, phone, save, stored, test } from './support/admin.ts';
import { card, choose, dialog, fixture, listed } from './support/admin-media.ts';

/** The trips: pictures, tickets, texts and dates, and how the visitor will see them. */

test.describe('on a laptop', () => {
  test.use(laptop);

  test('chooses a picture’s focus point, joins tickets, and shows the pass', { tag: '@long' }, async ({
    page,
    adminSite,
  }) => {
    test.slow();
    await adminSite.open('/admin/immagine');
    const received = page.waitForResponse(/\/api\/media\/\w+\.jpg\?w=/);
    await choose(page, 'Scegli un’immagine', fixture('picture.jpg'));
    await expectNotice(page, 'Immagine caricata e salvata!');
    await expect(card(page, 'picture.jpg').getByText('Attiva')).toBeVisible();
    // In a smaller format than the uploaded one.
    expect(await (await received).headerValue('content-type')).toMatch(/^image\/(avif|webp)$/);
    const [image] = await listed(adminSite, 'immagine');
    const picture = phone(page).locator(`img[data-picture][src="${image?.url}"]`);
    await expect(picture).toBeVisible();

    await page
      .getByRole('button', { name: 'Scegli il punto da tenere in vista di picture.jpg' })
      .press('Enter');
    const choice = dialog(page, 'Il punto da tenere in vista');
    const point = choice.getByRole('slider', { name: 'Punto da tenere in vista' });
    await point.press('ArrowRight');
    await point.press('ArrowUp');
    await expect(point).toHaveAttribute('aria-valuetext', '52% da sinistra, 48% dall’alto');
    await expectAxeClean(page);
    const { width, height } = (await point.boundingBox()) ?? { width: 0, height: 0 };
    await point.click({ position: { x: width - 1, y: height / 4 } });
    await choice.getByRole('button', { name: 'Salva' }).press('Enter');
    await expectNotice(page, 'Punto salvato');
    await expect.poll(async () => (await listed(adminSite, 'immagine'))[0]?.fuoco?.y).toBeCloseTo(0.25, 2);
    await expect(picture).toHaveCSS('object-position', /^(100|99\.\d+)% 2[45]/);

    await choose(page, 'Scegli i biglietti', fixture('ticket.pdf'));
    await expect(card(page, 'ticket.pdf').getByText('Attivo')).toBeVisible();
    await choose(page, 'Scegli i biglietti', fixture('ticket.png'));
    await expect(card(page, 'ticket.png').getByText('Attivo')).toBeVisible();
    await expect(card(page, 'ticket.pdf').getByRole('link', { name: /^Visualizza File/ })).toHaveAttribute(
      'target',
      '_blank',
    );
    const open = page.getByRole('button', { name: 'Unisci in un solo PDF' });
    await open.click();
    const joining = dialog(page, 'Unisci in un solo PDF');
    const rows = joining.getByRole('list', { name: 'Biglietti da unire' }).getByRole('listitem');
    await expect(rows).toHaveText(['ticket.png', 'ticket.pdf']);
    const up = joining.getByRole('button', { name: 'Sposta su ticket.pdf' });
    await up.press('Enter');
    await expect(rows).toHaveText(['ticket.pdf', 'ticket.png']);
    await expect(up).toBeFocused();
    await joining.getByRole('button', { name: 'Unisci', exact: true }).click();
    await expectNotice(page, 'Biglietti uniti in un solo PDF!');
    await expect(open).toBeFocused();
    await expect(card(page, 'biglietti uniti.pdf').getByText('Attivo')).toBeVisible();
    const [joined] = await listed(adminSite, 'biglietti');

    // Each section saves its own fields, and leaving the page saves the fields of the others.
    await page.getByLabel('Data di partenza').fill('15 Dicembre 2026');
    await page.getByLabel('Data di ritorno').fill('22 Dicembre 2026');
    const pass = page.frameLocator('iframe').last();
    await expect(pass.getByText('22 Dicembre 2026')).toBeAttached();
    await page.getByLabel('Titolo del viaggio').fill(' Noi due ');
    await expect(pass.getByText('Noi due')).toBeAttached();
    await page.getByLabel('Istruzioni', { exact: true }).fill('Poi torna qui.');
    await save(part(page, 'Date del viaggio'));
    await expectNotice(page, 'Date salvate con successo!');
    await page.getByRole('link', { name: 'Torna al pannello' }).click();
    await expect(page).toHaveURL(/dashboard$/);
    expect(await stored(adminSite)).toMatchObject({
      biglietti_url: joined?.url,
      data_partenza: '15 Dicembre 2026',
      data_ritorno: '22 Dicembre 2026',
      titolo_viaggio: 'Noi due',
      testo_istruzioni_biglietti: 'Poi torna qui.',
    });
  });
});

/** Each address, and the heading of the section it leads to. */
const PLACES = [
  ['/admin/testi-destinazione', 'Testi della destinazione'],
  ['/admin/biglietti', 'Biglietti'],
  ['/admin/ticket-instruction', 'Istruzioni dei biglietti'],
  ['/admin/biglietti#date', 'Date del viaggio'],
  ['/admin/second-trip-details#biglietti', 'Biglietti del secondo viaggio'],
  ['/admin/second-trip-details#dettagli', 'Titoli, date e istruzioni'],
] as const;

test('opens the section that each address names, and changes sections by links', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  /** Checks that the heading has the focus and isn't covered. */
  const expectLanded = async (name: string) => {
    const heading = page.getByRole('heading', { level: 2, name, exact: true });
    await expect(heading).toBeFocused();
    await expect.poll(() => isInSight(heading), name).toBe(true);
  };
  for (const [path, name] of PLACES) {
    await adminSite.open(path);
    await expectLanded(name);
  }
  await adminSite.open('/admin/immagine');
  const links = page.getByRole('navigation', { name: 'Primo viaggio' });
  await page.getByLabel('Istruzioni', { exact: true }).fill('');
  for (const [link, name, address] of [
    ['Date', 'Date del viaggio', '/admin/biglietti#date'],
    ['Istruzioni', 'Istruzioni dei biglietti', '/admin/ticket-instruction'],
    ['Immagine', 'Immagine della destinazione', '/admin/immagine'],
  ] as const) {
    await links.getByRole('link', { name: link, exact: true }).tap();
    await expect(page).toHaveURL(adminSite.server.url + address);
    await expectLanded(name);
  }
  // An empty instruction can't be saved: there is no question while the user stays on the page, and the field is unchanged.
  await expect(page.getByLabel('Istruzioni', { exact: true })).toHaveValue('');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

function isInSight(heading: Locator): Promise<boolean> {
  return heading.evaluate((element) => {
    const { left, top, bottom, width } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + Math.min(width / 2, 40), (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && there === element;
  });
}
