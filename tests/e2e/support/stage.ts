import { resolve } from 'node:path';
import { type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test';
import type { Surprise } from '../../../demo/prepare.ts';
import { call } from '../../support/http.ts';
import { PROXIES } from '../../support/proxies.ts';
import { type Evening, eveningOn } from './evening.ts';
import { type Opened, openPrepared, type PreparedServer } from './prepared-folders.ts';
import { twoTrips } from './surprises.ts';

type Fixtures = {
  /** Prepares a surprise; the server is stopped after the test. */
  prepare: (surprise: Surprise) => Promise<Evening>;
  profile: undefined;
  quiet: { allow(pattern: RegExp): void };
};

const profiles = resolve(import.meta.dirname, '../profiles');

/**
 * Who wants no motion, for `test.use`: drawing sixty pictures a second without a graphics card is a fifth of what an evening costs. The
 * journeys, the demo and the other engines' evening in real time move.
 */
export const still = { contextOptions: { reducedMotion: 'reduce' } } as const;

/**
 * What is made in each worker, where a test asks for it. All of it stands here: a file that adds some of its own has workers of its own, each with
 * its browser.
 */
type WorkerFixtures = {
  /** A server with one surprise with everything in it and a code that has been used: for tests that only look. */
  lodge: PreparedServer;
};

/** A prepared surprise on a server of its own; in a project that is called as a proxy (`playwright.config.ts`) on two nodes behind that. */
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
  /** What the phone lacks is taken away before any script of the page runs. */
  profile: [
    async ({ context }, use, { project }) => {
      if (project.name === 'iphone' || project.name === 'webview') {
        await context.addInitScript({ path: resolve(profiles, `${project.name}.js`) });
      }
      await use(undefined);
    },
    { auto: true },
  ],
  /** An error in the console, a broken content security policy or an unhandled rejection fails the test. */
  quiet: [
    async ({ context }, use) => {
      // The browser's own line about a refusal; what the page makes of it is what is tested.
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

/** Closes every page of the browser: one that outlived its server would complain of it. */
export async function closePages(page: Page): Promise<void> {
  await Promise.all(
    page
      .context()
      .pages()
      .map((each) => each.close()),
  );
}

/** Writes down what no phone may ever have: errors that nobody caught, and what breaks the content security policy. */
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

/** Takes up the visit that this browser holds. */
export async function resumeEvening(page: Page, evening: Evening): Promise<void> {
  await page.goto(evening.server.url);
  await page.getByRole('button', { name: 'Riprendi' }).tap();
}

/** Types a code and taps the button. */
export async function submit(page: Page, token: string): Promise<void> {
  await page.getByPlaceholder('Il tuo codice').fill(token);
  await page.getByRole('button', { name: 'Scopri la Sorpresa' }).tap();
}

/** Lets the page's clock run: every timer due fires, in order. */
export async function advanceClock(page: Page, seconds: number): Promise<void> {
  await page.clock.runFor(Math.round(seconds * 1_000));
}

/** Stops the page's clock a moment from now: on a busy machine a moment that was chosen is over before it can be told. */
export async function holdClock(page: Page, ahead = 100): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  const held = await page.clock.pauseAt(now + ahead).then(
    () => true,
    () => false,
  );
  if (!held) await holdClock(page, ahead * 2);
}

/** Holds the page's clock while something is looked at that would be gone soon. */
export async function withClockHeld(page: Page, look: () => Promise<void>): Promise<void> {
  await holdClock(page);
  await look();
  await page.clock.resume();
}

/** Lets the page's clock run, a second or so many at a time, until something is seen. What the network answers meanwhile takes its real time. */
export async function inTime(page: Page, seen: Locator, seconds = 1): Promise<void> {
  const isSeen = async () => {
    await advanceClock(page, seconds);
    return seen.first().isVisible();
  };
  await expect.poll(isSeen, { timeout: 75_000, intervals: [100] }).toBe(true);
}

/** Tries to enter with a code, as a phone of its own; the status. */
export async function tryCode({ url }: { url: string }, token: string): Promise<number> {
  const attempt = { token, attempt_id: crypto.randomUUID(), device_id: `device-${crypto.randomUUID()}` };
  return (await call(url, 'POST', '/access', attempt)).status;
}
