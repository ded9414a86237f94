import type { Page } from '@playwright/test';
import { PAGES } from '../../src/contract/pages.ts';
import { dashboardTexts } from '../../src/texts/admin/dashboard.ts';
import { commonTexts } from '../../src/texts/admin/forms.ts';
import { adminMenu, adminPlaces, pageAt, titleAt } from '../../src/texts/admin/pages.ts';
import {
  expectAxeClean,
  expectFingerSized,
  expectNoSidewaysScroll,
  firstAction,
  unreachedByTab,
} from './support/accessible.ts';
import { adminPage, expect, laptop, readQr, signInAdmin, test as withSite } from './support/admin.ts';
import { eveningOn } from './support/evening.ts';
import {
  expectNothingInjected,
  fillRecords,
  hostileTexts,
  PAYLOADS,
  shownOn,
  showsAsTyped,
  watch,
} from './support/hostile.ts';
import { openPrepared, type PreparedServer } from './support/prepared-folders.ts';
import { advanceClock, closePages, type Evening, enter, test } from './support/stage.ts';
import { but, twoTrips } from './support/surprises.ts';
import { answer, downloadTickets, phrases, startVideo } from './support/walk.ts';

/**
 * Every page behind the sign-in, with payloads for markup in all texts of the surprise and its records.
 * A violated content security policy or a console error fails the test (the stage's `quiet`).
 */
const PATHS = PAGES.filter((path): path is `/admin/${string}` & typeof path => path.startsWith('/admin/'));

const SMALL = { width: 360, height: 640 };
const PHONE = { width: 390, height: 844 };
/** In px, the height of the dashboard on a phone of 390 × 844, with the pages folded. */
const DASHBOARD = 3_000;
/** In px, on a phone of 390 × 844: the main action is visible, with something of what follows. */
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

/** Checks that the first action is on the first screen of a phone. */
async function expectFirstAction(page: Page, path: string): Promise<void> {
  await page.setViewportSize(PHONE);
  const first = await firstAction(page);
  expect(first?.bottom ?? 0, `${path}: ${first?.name}`).toBeLessThanOrEqual(FIRST_SCREEN);
}

/** Checks that axe finds nothing, and that a small phone and a laptop don't scroll sideways. */
async function expectFits(page: Page): Promise<void> {
  await expectAxeClean(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(laptop.viewport);
  await expectNoSidewaysScroll(page);
}

const hostile = test.extend<{ hostileSite: Evening }>({
  hostileSite: async ({ page, context }, use) => {
    const opened = await openPrepared(but(twoTrips, hostileTexts()));
    const { happened } = await watch(context, opened.server.url);
    await use(eveningOn(opened));
    await closePages(page);
    await opened.server.stop();
    expect(happened).toEqual([]);
  },
});

/** Number of pages per prepared server. */
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
          await showsAsTyped(page, shownOn(path));
          await expectFingerSized(page);
          // Addresses of one page have one layout.
          if (!(path in adminPlaces)) await expectFits(page);
          if (path !== '/admin/dashboard')
            await expect(page.getByRole('link', { name: commonTexts.back })).toBeVisible();
        });
      }
    },
  );
}

test('links every page, and redirects a client that isn’t signed in to the sign-in', async ({
  page,
  context,
  quiet,
  lodge,
}) => {
  quiet.allow(/404/);
  await signInAdmin(page, lodge);
  await openPage(page, lodge, '/admin/dashboard');
  const cards = page.getByRole('navigation', { name: dashboardTexts.pages });
  await expectFirstAction(page, '/admin/dashboard');
  await expect(cards).toBeHidden();
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(DASHBOARD);
  await page.getByText(dashboardTexts.pages).tap();
  await expect(cards).toBeVisible();
  await expectFingerSized(page);
  await page.getByRole('button', { name: commonTexts.openNavigation }).tap();
  const menu = page.getByRole('dialog').getByRole('navigation', { name: commonTexts.navigation });
  // The whole menu is in view without scrolling.
  for (const { title } of adminMenu)
    await expect(menu.getByRole('link', { name: title, exact: true })).toBeInViewport({ ratio: 1 });
  await expectFingerSized(page);
  // Addresses of one page have one card.
  for (const path of PATHS.filter((each) => !(each in adminPlaces)))
    await expect(cards.locator(`a[href="${path}"]`)).toHaveCount(path === '/admin/dashboard' ? 0 : 1);

  // The links at a page's head are large enough, and with the menu show where one is, also after a reload and in little space.
  const tabs = page.getByRole('main').getByRole('navigation').getByRole('link');
  await openPage(page, lodge, '/admin/immagine');
  const sizes = await tabs.evaluateAll((links) =>
    links.map((link) => link.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height)),
  );
  expect(sizes.length).toBe(5);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
  await openPage(page, lodge, '/admin/cancella');
  await expect(tabs.last()).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1440, height: 480 });
  await page.reload();
  await expect(
    page
      .getByRole('navigation', { name: commonTexts.navigation })
      .getByRole('link', { name: 'Impostazioni' }),
  ).toBeInViewport({ ratio: 1 });
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
    'says what is missing, and tries a phone by a QR code',
    { tag: '@long' },
    async ({ page, adminSite: { server, open } }) => {
      await open('/admin/pronta');
      await expect(page.getByRole('heading', { name: 'Non ancora.' })).toBeVisible();
      const missing = page.getByRole('listitem').filter({ hasText: 'Manca il video principale' });
      await expect(missing.getByRole('img', { name: 'Lo impedisce', exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Controlla adesso' }).click();
      await expect(page.getByText(/^Ultimo controllo: /)).toBeVisible();
      await missing.getByRole('link', { name: 'Vai a «Video»' }).click();
      await expect(page).toHaveURL(`${server.url}/admin/video`);

      await open('/admin/pronta');
      await page.getByRole('link', { name: 'Vai a «Telefoni»' }).click();
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
      // Received at once, without a request.
      await expect(page.getByRole('heading', { name: 'Il telefono di Giulia è quasi pronto' })).toBeVisible();
      await page.getByRole('button', { name: 'Chiudi il codice: Il telefono di Giulia' }).click();
      await expect(page.getByText('Il codice è chiuso e non vale più.')).toBeVisible();
      await page.getByRole('button', { name: 'Elimina: Il telefono di Giulia' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Elimina' }).click();
      await expect(page.getByText('Nessun telefono provato')).toBeVisible();
    },
  );
});

test('has the first action of every page on the first screen of a phone', { tag: '@long' }, async ({
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

test.describe('with a complete evening, on a laptop', () => {
  test.use(laptop);

  test('reaches every control by Tab, and is readable in the dark scheme', {
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

hostile('shows hostile texts as texts through two trips', { tag: '@long' }, async ({ page, hostileSite }) => {
  test.slow();
  await page.clock.install();
  const { config, questions } = hostileTexts();
  const { token } = await hostileSite.code();
  /** Destination and trip card, up to the questions. */
  const trip = async (titles: string[], dates: string[]) => {
    await advanceClock(page, 1);
    await showsAsTyped(page, titles);
    await advanceClock(page, 5);
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
  await advanceClock(page, 3);
  await expect(page).toHaveURL(`${hostileSite.server.url}/`);
  await expectNothingInjected(page);
});

type Markup = { trustedTypes: { createPolicy(name: string, rules: object): { createHTML: typeof String } } };

test('finds each payload that is inserted as markup', { tag: '@long' }, async ({ page, lodge, quiet }) => {
  // The policy blocks markup and its effects; this test checks the search only.
  quiet.allow(/./);
  await page.goto(lodge.url);
  // The parser drops a body inside a body, and a refresh leaves the page.
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
    await expect(expectNothingInjected(page), html).rejects.toThrow();
    await page.evaluate(() => document.querySelector('#hole')?.remove());
  }
  await expectNothingInjected(page);
});
