import {
  expectAxeClean,
  expectFingerSized,
  expectNoSidewaysScroll,
  heartsUnderWords,
} from './support/accessible.ts';
import {
  adminPage,
  elsewhere,
  expect,
  expectNotice,
  part,
  signInAdmin,
  stored,
  test,
} from './support/admin.ts';
import { enter, test as evening, submit } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import { answer, downloadBy, expectPhrase, walkToCard } from './support/walk.ts';

/** Settings around the evening: name, opening time, last day, dress and address. */

test('saves name, opening time, dress, contact and last day, and shows each', { tag: '@long' }, async ({
  page,
  prepare,
}) => {
  test.slow();
  const { server, admin, code } = await prepare(oneTrip);
  const { token } = await code();
  const config = () => stored({ admin });
  await signInAdmin(page, server);
  await adminPage(page, server, '/admin/serata');
  const whose = part(page, 'Per chi è');
  // Never filled in automatically.
  await expect(whose.getByLabel('Come si chiama')).toHaveValue('');
  await whose.getByRole('button', { name: 'Usa «Giulia»' }).tap();
  const opens = part(page, 'Apertura');
  await expect(opens.getByText('Nessuna ora di apertura: il codice apre subito.')).toBeVisible();
  const hour = opens.getByLabel('Si apre il giorno e all’ora');
  await hour.fill('2099-12-12T21:00');
  await expect(opens.getByText('Il codice apre da sabato 12 dicembre 2099 alle 21:00.')).toBeVisible();
  const contact = part(page, 'Contatto');
  await contact.getByLabel('Nome da contattare').fill('@luca');
  await expect(contact.getByText('Contatta @luca per maggiori informazioni')).toBeVisible();
  // A choice saves itself, and a field when it is left.
  await part(page, 'Il vestito').getByText('Alba sul mare').tap();
  await expect.poll(config).toMatchObject({
    recipient_name: 'Giulia',
    opens_at: '2099-12-12T20:00:00.000Z',
    dress: 'alba',
    contatto: '@luca',
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(server.url);
    await expect(page.locator('html')).toHaveAttribute('data-dress', 'alba');
    await expectAxeClean(page);
  }
  await submit(page, token);
  await expect(page.getByText(/ti aspetto sabato 12 dicembre alle 21:00/).first()).toBeVisible();

  await adminPage(page, server, '/admin/serata');
  await expect(hour).toHaveValue('2099-12-12T21:00');
  await hour.fill('');
  const occasion = part(page, 'L’occasione');
  const day = occasion.getByLabel('Il giorno');
  await day.fill('2099-07-10');
  await expect(occasion.getByText('Il sito si chiude il 13 luglio 2099 alle ore 00:00.')).toBeVisible();
  await occasion.getByLabel('Una mia frase').check();
  await occasion.getByLabel('La mia frase').fill('Buon compleanno, dal mare.');
  await occasion.getByLabel('La mia frase').press('Enter');
  await expect.poll(config).toMatchObject({ footer_text: 'Buon compleanno, dal mare.' });
  await page.goto(server.url);
  await expect(page.getByRole('contentinfo')).toHaveText('Buon compleanno, dal mare.');
  await expectAxeClean(page);
  await adminPage(page, server, '/admin/serata');
  await occasion.getByLabel('Quella di sempre').check();
  await day.fill('2024-03-15');
  await expect(occasion.getByText(/^Con questa data il sito è già chiuso \(dal 18 marzo 2024/)).toBeVisible();
  await day.press('Enter');
  await expectNotice(page, 'Impostazioni salvate!');
  await page.goto(server.url);
  await submit(page, token);
  await expect(
    page.getByText(/^La sorpresa si è conclusa: questo sito non è più disponibile/).first(),
  ).toBeVisible();
  // The administrator can continue.
  await adminPage(page, server, '/admin/serata');
  await day.fill('');
  await day.blur();
  await expect.poll(config).toMatchObject({ data_laurea: null, opens_at: null });
  await enter(page, { server, admin, code }, token);
  await expect(page).toHaveURL(`${server.url}/experience`);
});

test('shows the address of the evening and checks an address', async ({ page, adminSite }) => {
  const { server, open } = adminSite;
  await open('/admin/serata');
  const address = part(page, 'Indirizzo del sito');
  await expect(address.getByText(`${server.url}/`, { exact: true })).toBeVisible();
  await expect(address.getByText('Per ora la vedi solo da questo computer')).toBeVisible();
  await open('/admin/dashboard');
  await page.getByRole('link', { name: 'In rete', exact: true }).tap();
  await page.getByRole('link', { name: 'Ho un server o un nome mio' }).tap();
  await expect(page.getByText('HTTPS_DOMAIN=sorpresa.example')).toBeVisible();
  const wanted = page.getByLabel('Indirizzo da provare');
  await wanted.fill(server.url);
  const check = part(page, 'Prova l’indirizzo');
  await check.getByRole('button', { name: 'Controlla' }).tap();
  await expect(check.getByRole('status').getByRole('listitem')).toHaveText([
    'Risponde proprio questa sorpresa.',
    'Però si apre solo da questo computer.',
    /^È senza https/,
  ]);
  await expectAxeClean(page);
  await expectFingerSized(page);
  await expectNoSidewaysScroll(page);
});

evening(
  'wears the chosen dress to its end; a long pull tears the stub off',
  { tag: '@long' },
  async ({ page, prepare }) => {
    await page.clock.install();
    const prepared = await prepare(but(oneTrip, { config: { recipient_name: 'Giulia', dress: 'alba' } }));
    const { token } = await prepared.code();
    await enter(page, prepared, token);
    await walkToCard(page);
    await expect(page.getByText('A nome di Giulia')).toBeVisible();
    const card = page.locator('article');
    const picture = card.locator('img');
    expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    /** Pulls the stub sideways by `by` px with the mouse, from its text or its link. */
    const pull = async (by: number, from = page.getByText('P.S dopo aver visto')) => {
      const box = await from.boundingBox();
      if (box === null) throw new Error('There is no stub');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + by, y + 4, { steps: 6 });
      await page.mouse.up();
    };
    await pull(30);
    await expect(card).toHaveAttribute('data-torn', 'false');
    const downloads: string[] = [];
    page.on('download', (download) => downloads.push(download.suggestedFilename()));
    await downloadBy(
      page,
      () => pull(110, page.getByRole('link', { name: 'Scarica i biglietti' })),
      () => expect(card).toHaveAttribute('data-torn', 'true'),
    );
    await answer(page, words.domanda_1, 'Sì');
    await answer(page, words.domanda_2, 'Sì');
    await expectPhrase(page, words.closing.entrambi_si);
    // The pull that began on the link pressed it once.
    expect(downloads).toEqual(['biglietti.pdf']);
    await expect(page.locator('html')).toHaveAttribute('data-dress', 'alba');
    await expect(page.locator('[data-depth]')).toHaveCount(20);
    expect(await heartsUnderWords(page)).toEqual([]);
  },
);

test('erases the evening after the confirmation is typed', async ({ page, adminSite }) => {
  const { admin, open } = adminSite;
  const codes = () => admin.call<{ nome: string }[]>('GET', '/admin/tokens');
  await admin.call('POST', '/admin/tokens', { nome: 'Giulia', max_accessi: 1 });
  await elsewhere(adminSite, { titolo_viaggio: 'Noi due' });
  await open('/admin/cancella');
  await expect(page.getByText('1 codice', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Il mio accesso')).toBeChecked();
  await page.getByLabel('La configurazione').tap();
  const confirmed = page.getByLabel('Per confermare scrivi CANCELLA');
  const erase = page.getByRole('button', { name: 'Cancella la serata' });
  await confirmed.fill('CANCELLA');
  await erase.tap();
  await expectNotice(page, 'La serata è stata cancellata.');
  await expect(page.getByText('Non c’è più niente della serata')).toBeVisible();
  expect(await codes()).toEqual([]);
  expect((await stored(adminSite)).titolo_viaggio).toBe('Noi due');
});
