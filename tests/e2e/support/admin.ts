import type { BrowserContext, FrameLocator, Locator, Page } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';
import type { AdminClient } from '../../../demo/admin-client.ts';
import type { Configuration } from '../../../src/domain/configuration.ts';
import type { TestServer } from '../../support/server.ts';
import { openPrepared, type PreparedServer } from './prepared-folders.ts';
import { closePages, expect, test as stage } from './stage.ts';

/** A laptop, for `test.use`: without it a test runs on a phone. */
export const laptop = { viewport: { width: 1280, height: 800 }, hasTouch: false, isMobile: false } as const;

export type AdminSite = {
  server: PreparedServer;
  /** The administrator's hands beside the page: another window, so to say. */
  admin: AdminClient;
  /** Opens one of the administrator's pages and waits for its title. */
  open(path: string): Promise<void>;
};

/**
 * As `test` of the stage, with a `adminSite`: a server of its own with an administrator, signed in on `page`, and nothing else in it. Nothing
 * moves: a dialog that was still coming up once slid away between the press and the release of a click.
 */
export const test = stage.extend<{ adminSite: AdminSite }>({
  contextOptions: { reducedMotion: 'reduce' },
  page: async ({ page }, use) => {
    waitForRoutes(page);
    await noteNotices(page.context());
    await use(page);
  },
  adminSite: async ({ page }, use) => {
    const { server, admin } = await openPrepared(null);
    await signInAdmin(page, server);
    await use({ server, admin, open: (path) => adminPage(page, server, path) });
    await closePages(page);
    await server.stop();
  },
});

/** Saves fields as from another window. */
export { configure as elsewhere } from './evening.ts';
export { account } from './prepared-folders.ts';
export { expect } from './stage.ts';

/**
 * A busy page hears of its first route only after the key that is pressed next, whose call then reaches the server (1 of 150 presses): who sets one
 * waits until the page's calls are routed.
 */
function waitForRoutes(page: Page): void {
  const route = page.route.bind(page);
  let routed = false;
  page.route = async (...given) => {
    const made = await route(...given);
    if (routed || page.url() === 'about:blank') return made;
    routed = true;
    await route(/\/healthz\?routed$/, (asked) => asked.fulfill({ body: 'routed' }));
    const answer = () => page.evaluate(async () => (await fetch('/healthz?routed')).text());
    await expect.poll(answer).toBe('routed');
    return made;
  };
}

/** Signs the page's browser in, without the door. */
export function signInAdmin(page: Page, server: PreparedServer): Promise<void> {
  return carry(page, server, server.session);
}

/** Gives the page's browser the cookies of somebody who signed in elsewhere. */
export async function carry(page: Page, { url }: { url: string }, cookies: string): Promise<void> {
  const pairs = cookies.split('; ').map((pair) => pair.split(/=(.*)/s));
  await page.context().addCookies(pairs.map(([name = '', value = '']) => ({ name, value, url })));
}

/** Ends every session of the administrator on the server: the page knows nothing of it. */
export async function endAdminSessions({ deps }: TestServer): Promise<void> {
  // better-auth's own table: it isn't among ours.
  await deps.inTransaction((tx) => tx.deleteFrom('session' as never).execute());
}

/** Opens a page of the administrator and waits for its title. */
export async function adminPage(page: Page, { url }: { url: string }, path: string): Promise<void> {
  await page.goto(`${url}${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

type Noticing = { takeNotice(sentence: string): boolean };

/** Has the pages write down their notices: one stays for four seconds, and on a busy machine is gone before it is looked for. */
export async function noteNotices(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const said: string[] = [];
    const known = new WeakMap<Element, string>();
    const takeNotice = (sentence: string) => {
      const at = said.findIndex((text) => text.includes(sentence));
      if (at >= 0) said.splice(at, 1);
      return at >= 0;
    };
    Object.assign(window, { takeNotice } satisfies Noticing);
    new MutationObserver(() => {
      for (const notice of document.querySelectorAll('[data-sonner-toast]')) {
        if (known.get(notice) === notice.textContent) continue;
        known.set(notice, notice.textContent);
        said.push(notice.textContent);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** A notice was shown since the last one of these words was asked for. Some work before it takes its time on a busy machine. */
export async function expectNotice(page: Page, sentence: string): Promise<void> {
  const wasTold = () =>
    page.evaluate((text) => (window as unknown as Noticing).takeNotice(text), sentence).catch(() => false);
  await expect.poll(wasTold, { message: sentence, timeout: 60_000 }).toBe(true);
}

/** Takes the last change back by its notice, as a hand does: over the notices first, which then lie side by side and stay. */
export async function undo(page: Page): Promise<void> {
  const button = page.locator('[data-sonner-toast]').getByRole('button', { name: 'Annulla' }).first();
  await button.hover({ force: true });
  await button.click();
}

/** The configuration as the server has it. */
export function stored({ admin }: Pick<AdminSite, 'admin'>): Promise<Configuration & { versione: number }> {
  return admin.call('GET', '/admin/config');
}

/** The inside of a phone beside the fields: the first one, unless another is wanted. */
export const phone = (page: Page, at = 0): FrameLocator =>
  page.locator('iframe[data-ready=true]').nth(at).contentFrame();

/** A part of a page that has several. */
export const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** Presses «Salva»: the page's, or that of a part of it. */
export async function save(where: Page | Locator): Promise<void> {
  await where.getByRole('button', { name: 'Salva', exact: true }).click();
}

/** On a busy machine the decoder may take its time. */
const PATIENCE_MS = 5_000;

/** What a phone's camera reads of the QR code in a part of the screen, as it is painted there, with whatever stands around it. */
export async function readQr(screen: Locator): Promise<string> {
  return qrIn(await screen.screenshot());
}

/** What it reads in a picture. */
export async function qrIn(picture: Buffer): Promise<string> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data }, { timeLimit: PATIENCE_MS });
}
