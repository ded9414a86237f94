import type { Page } from '@playwright/test';
import { PAGES } from '../../src/contract/pages.ts';
import { commonTexts } from '../../src/texts/admin/common.ts';
import { dashboardTexts } from '../../src/texts/admin/dashboard.ts';
import { adminPlaces, pageAt, titleAt } from '../../src/texts/admin/pages.ts';
import { call } from '../support/http.ts';
import { ok, walkTo } from '../support/http-evening.ts';
import { expectAxeClean, expectFingerSized, expectNoSidewaysScroll } from './support/accessible.ts';
import { adminPage, carry, expect, laptop, signInAdmin, test as withSite } from './support/admin.ts';
import { firstAction, unreachedByTab } from './support/controls.ts';
import { eveningOn } from './support/evening.ts';
import { fillRecords, hostileTexts, ROUNDS, shownOn } from './support/hostile.ts';
import { openPrepared, type PreparedServer } from './support/prepared-folders.ts';
import { readQr } from './support/qr.ts';
import { closePages, type Evening, enter, pass, test } from './support/stage.ts';
import { but, twoTrips } from './support/surprises.ts';
import { answer, downloadTickets, phrases, sees, startVideo } from './support/walk.ts';
import { nothingGrew, PAYLOADS, showsAsTyped, watch } from './support/xss.ts';

/**
 * Every address behind the door, where every text of the surprise and of its records tries to be more than text. A broken content security policy
 * or an error in the console fails it (the stage's `quiet`).
 */
const PATHS = PAGES.filter((path): path is `/admin/${string}` & typeof path => path.startsWith('/admin/'));

const SMALL = { width: 360, height: 640 };
const PHONE = { width: 390, height: 844 };
/** In pixels, on a phone of 390 × 844: the whole of what one comes for is in sight, with something of what follows. */
const FIRST_SCREEN = 487;

const titleOf = (path: (typeof PATHS)[number]) =>
  path === '/admin/dashboard' ? dashboardTexts.title : (titleAt(pageAt(path)) ?? '');

async function openPage(page: Page, { url }: PreparedServer, path: (typeof PATHS)[number]): Promise<void> {
  await page.goto(url + path);
  const heading = page.getByRole('heading', { level: 1, name: titleOf(path), exact: true });
  await expect(heading).toBeVisible({ timeout: 30_000 });
  await expect(page).toHaveTitle(titleOf(path));
  await expect(page.getByText(commonTexts.loading)).toHaveCount(0);
}

/** The first thing to do is on the first screen of a phone. */
async function expectFirstAction(page: Page, path: string): Promise<void> {
  await page.setViewportSize(PHONE);
  const first = await firstAction(page);
  expect(first?.bottom ?? 0, `${path}: ${first?.name}`).toBeLessThanOrEqual(FIRST_SCREEN);
}

/** Not made for as many visits at once as there are payloads: these are looked at with one. */
const CROWDED = ['/admin/dashboard', '/admin/sessions'];

/** Nothing for axe to find, and nothing wider than a small phone or a laptop. */
async function expectFits(page: Page): Promise<void> {
  await expectAxeClean(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(laptop.viewport);
  await expectNoSidewaysScroll(page);
}

const hostile = test.extend<{ hostileSite: Evening }>({
  hostileSite: async ({ page, context }, use) => {
    const opened = await openPrepared(but(twoTrips, hostileTexts(0)));
    const { happened } = await watch(context, opened.server.url);
    await use(eveningOn(opened));
    await closePages(page);
    await opened.server.stop();
    expect(happened).toEqual([]);
  },
});

/** How many pages one server is prepared for. */
const TOGETHER = 10;

for (let from = 0; from < PATHS.length; from += TOGETHER) {
  const paths = PATHS.slice(from, from + TOGETHER);
  hostile(
    `shows hostile texts as texts and fits a phone and a laptop, from ${paths[0]} to ${paths.at(-1)}`,
    async ({ page, hostileSite }) => {
      test.slow();
      const { server } = hostileSite;
      await fillRecords(hostileSite);
      await signInAdmin(page, server);
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      for (const path of paths) {
        await test.step(path, async () => {
          await page.setViewportSize(SMALL);
          await openPage(page, server, path);
          await showsAsTyped(page, shownOn(path, 0));
          if (!CROWDED.includes(path)) await expectFits(page);
          if (path !== '/admin/dashboard')
            await expect(page.getByRole('link', { name: commonTexts.back })).toBeVisible();
        });
      }
    },
  );
}

test('leads to every page by the dashboard and the menu, and strangers to the door', async ({
  page,
  context,
  quiet,
  lodge,
}) => {
  quiet.allow(/404/);
  await signInAdmin(page, lodge);
  for (const path of PATHS.filter((each) => CROWDED.includes(each)).toReversed()) {
    await page.setViewportSize(SMALL);
    await openPage(page, lodge, path);
    await expectFits(page);
  }
  const cards = page.getByRole('navigation', { name: dashboardTexts.pages });
  await expectFirstAction(page, '/admin/dashboard');
  await expect(cards).toBeVisible();
  await expectFingerSized(page);
  await page.getByRole('button', { name: commonTexts.openNavigation }).tap();
  const menu = page.getByRole('dialog').getByRole('navigation', { name: commonTexts.navigation });
  // Addresses of one page have one card.
  for (const path of PATHS.filter((each) => !(each in adminPlaces))) {
    await expect(menu.locator(`a[href="${path}"]`)).toHaveCount(1);
    if (path !== '/admin/dashboard') await expect(cards.locator(`a[href="${path}"]`)).toHaveCount(1);
  }
  await page.goto(`${lodge.url}/admin/nessuna`);
  await expect(page.getByText('Oops! Page not found')).toBeVisible();
  await context.clearCookies();
  for (const path of PATHS) {
    await page.goto(lodge.url + path);
    await expect(page, path).toHaveURL(`${lodge.url}/admin`);
  }
});

withSite.describe('on a laptop', () => {
  withSite.use(laptop);

  withSite(
    'says what is missing and leads there, and tries a phone by a QR code of its own',
    async ({ page, adminSite: { server, open } }) => {
      await open('/admin/pronta');
      await expect(page.getByRole('heading', { name: 'Non ancora.' })).toBeVisible();
      const missing = page.getByRole('listitem').filter({ hasText: 'Manca il video principale' });
      await expect(missing.getByRole('img', { name: 'Lo impedisce', exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Controlla adesso' }).click();
      await expect(page.getByText(/^Provato tutto il /)).toBeVisible();
      await missing.getByRole('link', { name: 'Vai a «Video»' }).click();
      await expect(page).toHaveURL(`${server.url}/admin/video`);

      await open('/admin/dashboard');
      await page.getByRole('link', { name: 'Prova un telefono' }).click();
      await page.getByRole('button', { name: 'Prova un telefono' }).click();
      await page.getByLabel('Di chi è il telefono').fill('Il telefono di Giulia');
      await page.getByRole('button', { name: 'Crea il codice QR' }).click();
      const link = await page.getByLabel('Link della prova').inputValue();
      const drawn = page.getByRole('img', { name: 'Codice QR che apre la prova del telefono' });
      expect(await readQr(drawn)).toBe(link);
      expect(link).not.toContain('Giulia');
      await expectAxeClean(page);
      await page.keyboard.press('Escape');
      const findings = { in_app: true, film: 'played', heard: 'yes', song: 'by_itself', song_heard: 'yes' };
      const answer = await fetch(`${server.url}/api/diagnosis/report`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server.url },
        body: JSON.stringify({ id: 'device-1', pass: new URL(link).hash.slice(1), findings }),
      });
      expect(answer.status).toBe(200);
      // Heard at once, without asking.
      await expect(page.getByRole('heading', { name: 'Il telefono di Giulia è quasi pronto' })).toBeVisible();
      await page.getByRole('button', { name: 'Chiudi il codice: Il telefono di Giulia' }).click();
      await expect(page.getByText('Il codice è chiuso e non vale più.')).toBeVisible();
      await page.getByRole('button', { name: 'Elimina: Il telefono di Giulia' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Elimina' }).click();
      await expect(page.getByText('Nessun telefono provato')).toBeVisible();
    },
  );
});

test('begins every page of a whole evening on the first screen of a phone', { tag: '@long' }, async ({
  page,
  lodge,
}) => {
  test.slow();
  await signInAdmin(page, lodge);
  for (const path of PATHS) {
    await openPage(page, lodge, path);
    await expectFirstAction(page, path);
  }
});

test.describe('with a whole evening, on a laptop', () => {
  test.use(laptop);

  test('reaches everything on every page by Tab alone, and is readable in the dark', {
    tag: '@long',
  }, async ({ page, lodge }) => {
    test.setTimeout(600_000);
    await signInAdmin(page, lodge);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    for (const path of PATHS) {
      await test.step(path, async () => {
        await adminPage(page, lodge, path);
        await expect(page.getByText(commonTexts.loading)).toHaveCount(0);
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
        await expectAxeClean(page);
        expect(await unreachedByTab(page)).toEqual([]);
      });
    }
  });
});

hostile(
  'shows hostile texts as texts through a whole evening of two trips',
  async ({ page, hostileSite }) => {
    test.slow();
    await page.clock.install();
    const { config, questions } = hostileTexts(0);
    const { token } = await hostileSite.code();
    /** Destination and trip card, up to the questions. */
    const trip = async (titles: string[], dates: string[]) => {
      await pass(page, 1);
      await showsAsTyped(page, titles);
      await pass(page, 5);
      await showsAsTyped(page, [...titles, ...dates, config.testo_istruzioni_biglietti]);
      await downloadTickets(page);
    };
    await enter(page, hostileSite, token);
    await phrases(page, config.frasi_pre_video);
    await startVideo(page, config.video_button_text);
    await phrases(page, config.frasi);
    await trip(
      [config.titolo_destinazione, config.titolo_viaggio],
      [config.data_partenza, config.data_ritorno],
    );
    await answer(page, questions.domanda_1, 'Sì');
    await answer(page, questions.domanda_2, 'No');
    await phrases(page, [...config.frasi_tra_viaggi, ...config.frasi_secondo_viaggio]);
    await trip(
      [config.titolo_destinazione_2, config.titolo_viaggio_2],
      [config.data_partenza_2, config.data_ritorno_2],
    );
    await answer(page, questions.domanda_1_viaggio_2, 'No');
    await answer(page, questions.domanda_2_viaggio_2, 'No');
    await phrases(page, config.frasi_finali_secondo_viaggio);
    await pass(page, 3);
    await expect(page).toHaveURL(`${hostileSite.server.url}/`);
    await nothingGrew(page);
  },
);

async function saveRound({ admin }: Evening, round: number, more: object = {}): Promise<void> {
  const { single, questions } = hostileTexts(round);
  for (const [path, fields] of [
    ['/admin/config', { ...single, ...more }],
    ['/admin/questions', questions],
  ] as const) {
    const { versione } = await admin.call<{ versione: number }>('GET', path);
    await admin.call('PATCH', path, { versione, fields });
  }
}

hostile(
  'shows every hostile text in every single field, on both sides, and in what sends her away',
  {
    tag: '@long',
  },
  async ({ page, context, hostileSite, quiet }) => {
    test.setTimeout(900_000);
    // Whoever is sent away has what she was being sent cut off.
    quiet.allow(/ERR_(EMPTY_RESPONSE|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING) .*\/api\/media\//);
    const { server, admin } = hostileSite;
    const [button, evening, her] = [
      await context.newPage(),
      await context.newPage(),
      await context.newPage(),
    ];
    await signInAdmin(page, server);
    await adminPage(page, server, '/admin/preview');
    await adminPage(button, server, '/admin/video-button');
    await adminPage(evening, server, '/admin/serata');
    await her.clock.install();
    const showOn = async (texts: readonly string[]) => {
      await her.goto(`${server.url}/experience`);
      await showsAsTyped(her, texts);
    };
    for (let round = 0; round < ROUNDS.button; round++) {
      await saveRound(hostileSite, round, { frasi_pre_video: [] });
      const { config, questions, single } = hostileTexts(round);
      await showsAsTyped(button, [config.video_button_text]);
      const { id, token } = await hostileSite.code();
      const entry = { token, attempt_id: crypto.randomUUID(), device_id: 'device-1-xss' };
      const { cookie } = ok(await call(server.url, 'POST', '/access', entry));
      await carry(her, server, cookie);
      await showOn([config.video_button_text]);
      if (round < ROUNDS.title) {
        await showsAsTyped(page, [...Object.values(single), ...Object.values(questions)]);
        await walkTo(server, cookie, 'card', 1);
        const { titolo_viaggio, data_partenza, data_ritorno, testo_istruzioni_biglietti } = config;
        await showOn([titolo_viaggio, data_partenza, data_ritorno, testo_istruzioni_biglietti]);
        await walkTo(server, cookie, 'destination', 2);
        await showOn([config.titolo_destinazione_2, config.titolo_viaggio_2]);
      }
      if (round < ROUNDS.contact) {
        await showsAsTyped(evening, [config.contatto]);
        await admin.call('PATCH', `/admin/tokens/${id}`, { attivo: false });
        await sees(her, `Contatta ${config.contatto} per maggiori informazioni`);
        await nothingGrew(her);
      }
    }
  },
);

type Markup = { trustedTypes: { createPolicy(name: string, rules: object): { createHTML: typeof String } } };

test('finds each payload that is put in as markup', { tag: '@long' }, async ({ page, lodge, quiet }) => {
  // The policy stops markup out of text and what it would do; here it is only the search that is tried.
  quiet.allow(/./);
  await page.goto(lodge.url);
  // A body inside a body is dropped by the parser, and a refresh leads away.
  const markup = PAYLOADS.filter((text) => /<\w/.test(text) && !/<(body|meta)/.test(text));
  expect(markup.length).toBeGreaterThan(30);
  for (const html of markup) {
    await page.evaluate((inner) => {
      const hole = document.createElement('div');
      hole.id = 'hole';
      const policy = (window as never as Markup).trustedTypes.createPolicy('alarm', { createHTML: String });
      hole.innerHTML = policy.createHTML(inner);
      document.body.append(hole);
    }, html);
    await expect(nothingGrew(page), html).rejects.toThrow();
    await page.evaluate(() => document.querySelector('#hole')?.remove());
  }
  await nothingGrew(page);
});
