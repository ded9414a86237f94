import type { BrowserContext, FrameLocator, Locator, Page } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';
import type { AdminClient } from '../../../demo/admin-client.ts';
import type { Configuration } from '../../../src/domain/configuration.ts';
import type { TestServer } from '../../support/server.ts';
import { openPrepared, type PreparedServer } from './prepared-folders.ts';
import { closePages, expect, test as stage } from './stage.ts';

export type AdminSite = {
  server: PreparedServer;
  /** Calls of the administrator outside the page, as from another window. */
  admin: AdminClient;
  /** Opens a page of the administrator and waits for its title. */
  open(path: string): Promise<void>;
};

/**
 * The stage's `test` with an `adminSite`: a separate server with an administrator only, signed in on `page`.
 * Without motion: a dialog that was still opening could move between press and release of a click.
 */
export const test = stage.extend<{ adminSite: AdminSite }>({
  contextOptions: { reducedMotion: 'reduce' },
  page: async ({ page }, use) => {
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

/** Signs the page's browser in without the sign-in page. */
export async function signInAdmin(page: Page, { url, session }: PreparedServer): Promise<void> {
  const pairs = session.split('; ').map((pair) => pair.split(/=(.*)/s));
  await page.context().addCookies(pairs.map(([name = '', value = '']) => ({ name, value, url })));
}

/** Ends all sessions of the administrator on the server, without notifying the page. */
export async function endAdminSessions({ deps }: TestServer): Promise<void> {
  // A table of better-auth, which our types don't contain.
  await deps.inTransaction((tx) => tx.deleteFrom('session' as never).execute());
}

/** Opens a page of the administrator and waits for its title. */
export async function adminPage(page: Page, { url }: { url: string }, path: string): Promise<void> {
  await page.goto(`${url}${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

type Noticing = { takeNotice(sentence: string): boolean };

/** Makes pages record their notices: each is shown for four seconds, and a busy machine would check too late. */
async function noteNotices(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const notices: string[] = [];
    const known = new WeakMap<Element, string>();
    const takeNotice = (sentence: string) => {
      const at = notices.findIndex((text) => text.includes(sentence));
      if (at >= 0) notices.splice(at, 1);
      return at >= 0;
    };
    Object.assign(window, { takeNotice } satisfies Noticing);
    new MutationObserver(() => {
      for (const notice of document.querySelectorAll('[data-sonner-toast]')) {
        if (known.get(notice) === notice.textContent) continue;
        known.set(notice, notice.textContent);
        notices.push(notice.textContent);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Checks that a notice was shown since the last check of this text. Earlier work may take long on a busy machine. */
export async function expectNotice(page: Page, sentence: string): Promise<void> {
  const wasShown = () =>
    page.evaluate((text) => (window as unknown as Noticing).takeNotice(text), sentence).catch(() => false);
  await expect.poll(wasShown, { message: sentence, timeout: 60_000 }).toBe(true);
}

/** Returns the configuration on the server. */
export function stored({ admin }: Pick<AdminSite, 'admin'>): Promise<Configuration & { versione: number }> {
  return admin.call('GET', '/admin/config');
}

/** Returns the first preview's phone next to the fields. */
export const phone = (page: Page): FrameLocator =>
  page.locator('iframe[data-ready=true]').first().contentFrame();

/** Time limit of the decoder in ms, for a busy machine. */
const DECODE_TIMEOUT_MS = 5_000;

/** Reads the QR code in a part of the screen as a phone's camera does, from a screenshot with its surroundings. */
export async function readQr(screen: Locator): Promise<string> {
  return qrIn(await screen.screenshot());
}

/** Reads the QR code in a picture. */
export async function qrIn(picture: Buffer): Promise<string> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data }, { timeLimit: DECODE_TIMEOUT_MS });
}
