import type { Page, Route } from '@playwright/test';
import { PAGES } from '../../src/contract/pages.ts';
import { commonTexts } from '../../src/texts/admin/common.ts';
import { adminPlaces } from '../../src/texts/admin/pages.ts';
import { signInAdmin } from './support/admin.ts';
import { noteShifts } from './support/shifts.ts';
import { expect, still, test } from './support/stage.ts';

/** What a page shows comes piece by piece; nothing that is there already jumps when it does. */
test.use({ ...still, viewport: { width: 390, height: 844 } });

/** The sum of a page's shifts that may stay: a word in a line that becomes longer. */
const UNSEEN = 0.005;

/** Holds the administrator's answers back. @returns lets them go one after the other, each drawn before the next comes */
async function holdAnswers(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  await page.route(/\/api\/admin\/(?!events|me$)/, (route) => void held.push(route));
  return async () => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    for (let route = held.shift(); route !== undefined; route = held.shift()) {
      await route.fulfill({ response: await route.fetch() });
      await drawn(page);
    }
    await expect(page.getByText(commonTexts.loading)).toHaveCount(0);
    await drawn(page);
  };
}

const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function expectNoJumps(page: Page, url: string, paths: readonly string[]): Promise<void> {
  const shifts = await noteShifts(page);
  const letGo = await holdAnswers(page);
  for (const path of paths) {
    await page.goto(url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // Without a font that has its widths a title may break until its own is there (decision 067).
    await page.evaluate(() => document.fonts.ready);
    await drawn(page);
    shifts.length = 0;
    await letGo();
    const sum = shifts.reduce((all, shift) => all + Number(/^\S+ ([\d.]+)/.exec(shift)?.[1]), 0);
    expect(sum, `${path}: ${shifts.join('\n')}`).toBeLessThanOrEqual(UNSEEN);
  }
}

test('what comes moves nothing that is there, where it once did', { tag: '@long' }, async ({
  page,
  lodge,
}) => {
  await signInAdmin(page, lodge);
  await expectNoJumps(page, lodge.url, ['/admin/piano-b', '/admin/musica', '/admin/immagine', '/admin/logs']);
});

test('what comes moves nothing that is there, on any page, on a phone and on a large screen', {
  tag: '@long',
}, async ({ page, lodge }) => {
  test.setTimeout(600_000);
  await signInAdmin(page, lodge);
  const paths = PAGES.filter((path) => path.startsWith('/admin/') && !(path in adminPlaces));
  await expectNoJumps(page, lodge.url, paths);
  const wide = await page.context().newPage();
  await wide.setViewportSize({ width: 1440, height: 900 });
  await expectNoJumps(wide, lodge.url, paths);
});
