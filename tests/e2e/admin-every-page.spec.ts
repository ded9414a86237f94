import type { Locator, Page } from '@playwright/test';
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
import { expect, signInAdmin } from './support/admin.ts';
import { eveningOn } from './support/evening.ts';
import { fillRecords, hostileTexts, shownOn, showsAsTyped, watch } from './support/hostile.ts';
import { openPrepared, type PreparedServer } from './support/prepared-folders.ts';
import { closePages, type Evening, test } from './support/stage.ts';
import { but, twoTrips } from './support/surprises.ts';

/**
 * Every page behind the sign-in, with payloads for markup in all texts of the surprise and its records. Addresses of a section
 * have the layout of their page. A violated content security policy or a console error fails the test (the stage's `quiet`).
 */
const PATHS = PAGES.filter((path) => path.startsWith('/admin/') && !(path in adminPlaces));

const SMALL = { width: 360, height: 640 };
const PHONE = { width: 390, height: 844 };
const LAPTOP = { width: 1280, height: 800 };
/** In px, the height of the dashboard on a phone of 390 × 844, with the pages folded. */
const DASHBOARD = 3_000;
/** In px, on a phone of 390 × 844: the main action is visible, with something of what follows. */
const FIRST_SCREEN = 487;

const titleOf = (path: string) =>
  path === '/admin/dashboard' ? dashboardTexts.title : (titleAt(pageAt(path)) ?? '');

async function openPage(page: Page, { url }: PreparedServer, path: string): Promise<void> {
  await page.goto(url + path);
  const heading = page.getByRole('heading', { level: 1, name: titleOf(path), exact: true });
  await expect(heading).toBeVisible({ timeout: 30_000 });
  await expect(page).toHaveTitle(titleOf(path));
  await expect(page.getByText(commonTexts.loading)).toHaveCount(0);
}

const hostile = test.extend<{ hostileSite: Evening }>({
  hostileSite: async ({ page, context }, use) => {
    const opened = await openPrepared(but(twoTrips, hostileTexts()));
    const happened = await watch(context, opened.server.url);
    await use(eveningOn(opened));
    await closePages(page);
    await opened.server.stop();
    expect(happened).toEqual([]);
  },
});

/** Number of pages per prepared server. */
const TOGETHER = 9;

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
          await expectAxeClean(page);
          await expectNoSidewaysScroll(page);
          await page.setViewportSize(LAPTOP);
          await expectNoSidewaysScroll(page);
        });
      }
    },
  );
}

test('shows the whole menu, the links of a page and the section that an address names', async ({
  page,
  lodge,
}) => {
  await signInAdmin(page, lodge);
  await openPage(page, lodge, '/admin/dashboard');
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(DASHBOARD);
  await page.getByText(dashboardTexts.pages).tap();
  await expectFingerSized(page);
  await page.getByRole('button', { name: commonTexts.openNavigation }).tap();
  const menu = page.getByRole('dialog').getByRole('navigation', { name: commonTexts.navigation });
  // The whole menu is in view without scrolling.
  for (const { title } of adminMenu)
    await expect(menu.getByRole('link', { name: title, exact: true })).toBeInViewport({ ratio: 1 });
  await expectFingerSized(page);

  for (const [path, { title }] of Object.entries(adminPlaces)) {
    await openPage(page, lodge, path);
    const heading = page.getByRole('heading', { level: 2, name: title, exact: true });
    await expect(heading).toBeFocused();
    await expect.poll(() => isInSight(heading), title).toBe(true);
  }

  // The links at a page's head are large enough, and with the menu show where one is, also after a reload and in little space.
  const tabs = page.getByRole('main').getByRole('navigation').getByRole('link');
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
});

/** Returns true if the heading is on the screen and not covered. */
function isInSight(heading: Locator): Promise<boolean> {
  return heading.evaluate((element) => {
    const { left, top, bottom, width } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + Math.min(width / 2, 40), (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && there === element;
  });
}

test('has each first action on the first screen of a phone, and every control in reach of Tab in the dark', {
  tag: '@long',
}, async ({ page, lodge }) => {
  test.setTimeout(600_000);
  await signInAdmin(page, lodge);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  for (const path of PATHS) {
    await test.step(path, async () => {
      await page.setViewportSize(PHONE);
      await openPage(page, lodge, path);
      const first = await firstAction(page);
      expect(first?.bottom ?? 0, first?.name).toBeLessThanOrEqual(FIRST_SCREEN);
      await page.setViewportSize(LAPTOP);
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
      await expectAxeClean(page);
      expect(await unreachedByTab(page)).toEqual([]);
    });
  }
});
