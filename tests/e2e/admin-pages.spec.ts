import { PAGES } from '../../src/contract/pages.ts';
import { commonTexts } from '../../src/texts/admin/common.ts';
import { dashboardTexts } from '../../src/texts/admin/dashboard.ts';
import { type AdminPath, adminPageTexts } from '../../src/texts/admin/pages.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { signInAdmin } from './support/admin.ts';
import { expect, test } from './support/stage.ts';

/**
 * Every address of the specification's table behind the door: for strangers, for the administrator, on a phone of 360 px, light and dark.
 * A broken content security policy or an error in the console fails it (the stage's `quiet`).
 */
const PATHS = PAGES.filter((path): path is `/admin/${string}` & typeof path => path.startsWith('/admin/'));

test.use({ viewport: { width: 360, height: 640 } });

function titleOf(path: (typeof PATHS)[number]): string {
  if (path === '/admin/dashboard') return dashboardTexts.title;
  const row: AdminPath = path === '/admin/biglietti' ? '/admin/immagine' : path;
  return adminPageTexts[row].title;
}

for (const path of PATHS) {
  test(`${path} for the administrator`, async ({ page, lodge }) => {
    await signInAdmin(page, lodge);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(lodge.url + path);
    await expect(page.getByRole('heading', { level: 1, name: titleOf(path), exact: true })).toBeVisible();
    await expect(page).toHaveTitle(titleOf(path));
    await expect(page.getByText(commonTexts.loading)).toHaveCount(0);
    await expectAxeClean(page);
    await expectNoSidewaysScroll(page);
    // In the dark only the colours are others.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await expectAxeClean(page, ['color-contrast']);

    if (path === '/admin/dashboard') return;
    await page.getByRole('link', { name: commonTexts.back }).tap();
    await expect(page).toHaveURL(`${lodge.url}/admin/dashboard`);
  });
}

test('strangers are sent to the door from every page', async ({ page, lodge }) => {
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
    // One page with two addresses has one card (spec 2).
    if (path === '/admin/biglietti') continue;
    await expect(menu.locator(`a[href="${path}"]`)).toHaveCount(1);
    if (path !== '/admin/dashboard') await expect(cards.locator(`a[href="${path}"]`)).toHaveCount(1);
  }
});
