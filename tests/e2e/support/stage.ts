import { resolve } from 'node:path';
import { type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test';
import type { Surprise } from '../../../demo/prepare.ts';
import { call } from '../../support/http.ts';
import { PROXIES } from '../../support/proxies.ts';
import { type Evening, eveningOn } from './evening.ts';
import { type Opened, openPrepared, type PreparedServer } from './prepared-folders.ts';
import { twoTrips } from './surprises.ts';

type Fixtures = {
  /** Prepares a surprise. The server is stopped after the test. */
  prepare: (surprise: Surprise) => Promise<Evening>;
  profile: undefined;
  quiet: { allow(pattern: RegExp): void };
};

const profiles = resolve(import.meta.dirname, '../profiles');

/**
 * Reduced motion, for `test.use`: drawing 60 frames a second without a graphics card takes a fifth of an evening's CPU time.
 * The complete evenings, the demo and the other engines' real-time evening run with motion.
 */
export const still = { contextOptions: { reducedMotion: 'reduce' } } as const;

/**
 * Fixtures per worker, created on demand. All are declared here: a file with fixtures of its own would get separate workers and browsers.
 */
type WorkerFixtures = {
  /** A server with a complete surprise and a used code, for tests that only read. */
  lodge: PreparedServer;
};

/** Prepares a surprise on a separate server. In a project named after a proxy (`playwright.config.ts`), on two nodes behind that proxy. */
async function open({ name }: { name: string }, surprise: Surprise): Promise<Opened> {
  const proxy = PROXIES.find((each) => each === name);
  if (proxy === undefined) return openPrepared(surprise);
  const { openTwoNodes } = await import('./two-nodes.ts');
  return openTwoNodes(proxy, surprise);
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  lodge: [
    async ({}, use, { project }) => {
      const { server, admin } = await open(project, twoTrips);
      const code = { nome: 'Giulia', max_accessi: 3 };
      const { token } = await admin.call<{ token: string }>('POST', '/admin/tokens', code);
      await tryCode(server, token);
      await tryCode(server, 'ROM-SBAGLIATO');
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  /** Removes what the phone doesn't support, before any script of the page runs. */
  profile: [
    async ({ context }, use, { project }) => {
      if (project.name === 'iphone' || project.name === 'webview') {
        await context.addInitScript({ path: resolve(profiles, `${project.name}.js`) });
      }
      await use(undefined);
    },
    { auto: true },
  ],
  /** Fails the test on a console error, a violated content security policy or an unhandled rejection. */
  quiet: [
    async ({ context }, use) => {
      // The browser's own message about a refusal. Tests check the page's reaction instead.
      const allowed = [/status of 4\d\d .*\/api\//];
      const errors: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
      });
      await collectErrors(context, errors);
      await use({ allow: (pattern) => allowed.push(pattern) });
      expect(errors.filter((error) => !allowed.some((pattern) => pattern.test(error)))).toEqual([]);
    },
    { auto: true },
  ],
  prepare: async ({ page }, use, { project }) => {
    const servers: PreparedServer[] = [];
    await use(async (surprise) => {
      const { server, admin } = await open(project, surprise);
      servers.push(server);
      return eveningOn({ server, admin });
    });
    await closePages(page);
    for (const server of servers) await server.stop();
  },
});

export { expect } from '@playwright/test';
export { answersOf, type Code, type Evening, sessionsOf, tokenRow } from './evening.ts';

/** Closes all pages of the browser: an open page would log errors once its server stops. */
export async function closePages(page: Page): Promise<void> {
  await Promise.all(
    page
      .context()
      .pages()
      .map((each) => each.close()),
  );
}

/** Records uncaught errors and violations of the content security policy, which no phone may have. */
export async function collectErrors(context: BrowserContext, errors: string[]): Promise<void> {
  context.on('weberror', (error) => errors.push(error.error().stack ?? String(error.error())));
  await context.exposeBinding('tellBrokenPolicy', (_, broken: string) => errors.push(broken));
  await context.addInitScript(() => {
    const { tellBrokenPolicy } = window as unknown as { tellBrokenPolicy: (broken: string) => void };
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, sample }) =>
      tellBrokenPolicy(['policy broken', effectiveDirective, blockedURI, sourceFile, sample].join(' ')),
    );
  });
}

/** Opens the access screen and enters, by real taps. */
export async function enter(page: Page, evening: Evening, token: string): Promise<void> {
  await page.goto(evening.server.url);
  await submit(page, token);
}

/** Types a code and taps the button. */
export async function submit(page: Page, token: string): Promise<void> {
  await page.getByPlaceholder('Il tuo codice').fill(token);
  await page.getByRole('button', { name: 'Scopri la Sorpresa' }).tap();
}

/** Advances the page's clock: every due timer fires, in order. */
export async function advanceClock(page: Page, seconds: number): Promise<void> {
  await page.clock.runFor(Math.round(seconds * 1_000));
}

/** Stops the page's clock a moment from now. Retries with more time if a busy machine missed that moment. */
async function holdClock(page: Page, ahead = 100): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  const held = await page.clock.pauseAt(now + ahead).then(
    () => true,
    () => false,
  );
  if (!held) await holdClock(page, ahead * 2);
}

/** Stops the page's clock during a check of something that would soon disappear. */
export async function withClockHeld(page: Page, look: () => Promise<void>): Promise<void> {
  await holdClock(page);
  await look();
  await page.clock.resume();
}

/** Advances the page's clock in steps of `seconds` until something is visible. Network replies take real time. */
export async function inTime(page: Page, seen: Locator, seconds = 1): Promise<void> {
  const isSeen = async () => {
    await advanceClock(page, seconds);
    return seen.first().isVisible();
  };
  await expect.poll(isSeen, { timeout: 75_000, intervals: [100] }).toBe(true);
}

/** Enters with a code as a separate phone. Returns the status. */
async function tryCode({ url }: { url: string }, token: string): Promise<number> {
  const attempt = { token, attempt_id: crypto.randomUUID(), device_id: `device-${crypto.randomUUID()}` };
  return (await call(url, 'POST', '/access', attempt)).status;
}
