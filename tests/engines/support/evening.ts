import { test as base, expect, inject } from 'vitest';
import type { Surprise } from '../../../demo/prepare.ts';
import { type Evening, eveningOn } from '../../e2e/support/evening.ts';
import { openPrepared } from '../../e2e/support/prepared-folders.ts';
import type { Engine, Options, Tab } from './engine.ts';

type Fixtures = {
  /** Prepares a surprise; the server is stopped after the test. */
  prepare: (surprise: Surprise, web?: 'clock' | 'realTime') => Promise<Evening>;
  /** Starts a browser, which is ended before the servers are. Any error in its console that isn't `allowed` fails the test. */
  start: (engine: Engine, options?: Options & { allowed?: RegExp }) => Promise<Tab>;
};

const LESS_MOTION = 'matchMedia("(prefers-reduced-motion: reduce)").matches';

export const test = base.extend<Fixtures>({
  prepare: async ({}, use) => {
    const stops: (() => Promise<void>)[] = [];
    await use(async (surprise, web = 'clock') => {
      const opened = await openPrepared(surprise, {}, inject('webRoots')[web]);
      stops.push(opened.server.stop);
      return eveningOn(opened);
    });
    for (const stop of stops) await stop();
  },
  start: async ({ prepare }, use) => {
    // Asked for only to be put away later: a page that outlived its server would complain of it.
    void prepare;
    const started: { tab: Tab; allowed: RegExp | undefined }[] = [];
    const errors: string[] = [];
    await use(async (engine, { allowed, ...options } = {}) => {
      const tab = await engine.start(options);
      started.push({ tab, allowed });
      expect(await tab.read(LESS_MOTION)).toBe(options.moves !== true);
      return tab;
    });
    for (const { tab, allowed } of started)
      try {
        errors.push(...(await tab.errors()).filter((error) => allowed?.test(error) !== true));
      } finally {
        await tab.close();
      }
    expect(errors).toEqual([]);
  },
});
