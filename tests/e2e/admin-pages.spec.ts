import type { Page } from '@playwright/test';
import { PAGES } from '../../src/contract/pages.ts';
import { commonTexts } from '../../src/texts/admin/common.ts';
import { dashboardTexts } from '../../src/texts/admin/dashboard.ts';
import { adminPlaces, pageAt, titleAt } from '../../src/texts/admin/pages.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { adminPage, laptop, signInAdmin } from './support/admin.ts';
import { firstAction, unreachedByTab } from './support/controls.ts';
import { expect, test } from './support/stage.ts';
import { twoTrips } from './support/surprises.ts';

/**
 * Every address of the specification's table behind the door: for strangers, for the administrator, on a phone of 360 px, light and dark.
 * A broken content security policy or an error in the console fails it (the stage's `quiet`).
 */
const PATHS = PAGES.filter((path): path is `/admin/${string}` & typeof path => path.startsWith('/admin/'));

const SMALL = { width: 360, height: 640 };
const PHONE = { width: 390, height: 844 };
test.use({ viewport: SMALL });

function titleOf(path: (typeof PATHS)[number]): string {
  if (path === '/admin/dashboard') return dashboardTexts.title;
  return titleAt(pageAt(path)) ?? '';
}

/** How many pages one sign-in is used for: a test of its own for each cost twice as much. */
const TOGETHER = 6;

/** Every third one in `npm test`, the others among the long tests, and there all with a whole evening. */
const isThird = (_: unknown, at: number) => at % 3 === 0;
const LOOKED_AT = [PATHS.filter(isThird), PATHS.filter((path, at) => !isThird(path, at))].flatMap(
  (paths, part) =>
    Array.from({ length: Math.ceil(paths.length / TOGETHER) }, (_, at) => ({
      paths: paths.slice(at * TOGETHER, (at + 1) * TOGETHER),
      tag: part === 0 ? [] : '@long',
    })),
);

for (const { paths, tag } of LOOKED_AT) {
  test(`${paths[0]} to ${paths.at(-1)}, for the administrator`, { tag }, async ({ page, lodge }) => {
    await signInAdmin(page, lodge);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    for (const path of paths) await test.step(path, () => expectPage(page, lodge.url, path));
  });
}

/** In pixels, on a phone of 390 × 844: the whole of what one comes for is in sight, with something of what follows. */
const FIRST_SCREEN = 487;

async function expectFirstAction(page: Page, path: string) {
  const first = await firstAction(page);
  expect(first?.bottom ?? 0, `${path}: ${first?.name}`).toBeLessThanOrEqual(FIRST_SCREEN);
}

/**
 * Its heading and title, nothing for axe to find, no wider than a small screen, the first thing to do on the first one of a phone, and the way
 * back. Of the dark the test with a whole evening speaks.
 */
async function expectPage(page: Page, url: string, path: (typeof PATHS)[number]) {
  await page.goto(url + path);
  await expect(page.getByRole('heading', { level: 1, name: titleOf(path), exact: true })).toBeVisible();
  await expect(page).toHaveTitle(titleOf(path));
  await expect(page.getByText(commonTexts.loading)).toHaveCount(0);
  await expectAxeClean(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(PHONE);
  await expectFirstAction(page, path);
  await page.setViewportSize(SMALL);
  if (path === '/admin/dashboard') return;
  await page.getByRole('link', { name: commonTexts.back }).tap();
  await expect(page).toHaveURL(`${url}/admin/dashboard`);
}

test('strangers are sent to the door from every page', { tag: '@long' }, async ({ page, lodge }) => {
  for (const path of PATHS) {
    await page.goto(lodge.url + path);
    await expect(page, path).toHaveURL(`${lodge.url}/admin`);
  }
});

test('what is no page is the 404 page, behind the door too', async ({ page, quiet, lodge }) => {
  quiet.allow(/404/);
  await page.goto(`${lodge.url}/admin/nessuna`);
  await expect(page.getByText('Oops! Page not found')).toBeVisible();
});

test('every page has a card on the dashboard and a line in the menu', async ({ page, lodge }) => {
  await signInAdmin(page, lodge);
  await page.goto(`${lodge.url}/admin/dashboard`);
  const cards = page.getByRole('navigation', { name: dashboardTexts.pages });
  await expect(cards).toBeVisible();
  await page.getByRole('button', { name: commonTexts.openNavigation }).tap();
  const menu = page.getByRole('dialog').getByRole('navigation', { name: commonTexts.navigation });
  for (const path of PATHS) {
    // Addresses of one page have one card.
    if (path in adminPlaces) continue;
    await expect(menu.locator(`a[href="${path}"]`)).toHaveCount(1);
    if (path !== '/admin/dashboard') await expect(cards.locator(`a[href="${path}"]`)).toHaveCount(1);
  }
});

test('on every page of a whole evening, too, the first thing to do is on a phone’s first screen', {
  tag: '@long',
}, async ({ page, prepare }) => {
  test.slow();
  await page.setViewportSize(PHONE);
  const { server } = await prepare(twoTrips);
  await signInAdmin(page, server);
  for (const path of PATHS) {
    await adminPage(page, server, path);
    await expect(page.getByText(commonTexts.loading)).toHaveCount(0);
    await expectFirstAction(page, path);
  }
});

test.describe('with a whole evening, on a laptop', () => {
  test.use(laptop);

  test('by Tab alone everything on every page is reached, and axe finds nothing, light and dark', {
    tag: '@long',
  }, async ({ page, prepare }) => {
    test.setTimeout(600_000);
    const { server, code } = await prepare(twoTrips);
    await code();
    await signInAdmin(page, server);
    for (const path of PATHS) {
      await test.step(path, async () => {
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        await adminPage(page, server, path);
        await expect(page.getByText(commonTexts.loading)).toHaveCount(0);
        await expectAxeClean(page);
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
        await expectAxeClean(page);
        expect(await unreachedByTab(page)).toEqual([]);
      });
    }
  });
});
