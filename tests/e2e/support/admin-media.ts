import { resolve } from 'node:path';
import type { Page, Route } from '@playwright/test';
import { inputPaths } from '../../../src/server/media-worker/door.ts';
import type { Product } from '../../../src/server/start.ts';

/** Steps for tests of the media pages. */

export const fixture = (name: string) => resolve(import.meta.dirname, '../../fixtures', name);
export const MB = 1024 ** 2;

/** Chooses a file through the button that opens the system's dialog. The upload starts automatically. */
export async function choose(page: Page, button: string | RegExp, file: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await choosing).setFiles(file);
}

/** Intercepts uploads: `beforeChunk(n, hinder)` handles the chunk after n chunks of 5 MB. */
export async function lineThrough(page: Page) {
  let hindrance: { offset: number; hinder: (route: Route) => Promise<void> } | undefined;
  const offsets: number[] = [];
  await page.route('**/api/admin/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const offset = Number(route.request().headers()['upload-offset']);
    offsets.push(offset);
    return hindrance?.offset === offset ? hindrance.hinder(route) : route.continue();
  });
  return {
    /** Offset in bytes of each chunk since `free`. */
    offsets,
    beforeChunk: (count: number, hinder: (route: Route) => Promise<void>) => {
      hindrance = { offset: count * 5 * MB, hinder };
    },
    free: () => {
      hindrance = undefined;
      offsets.length = 0;
    },
  };
}

/** Pauses the media worker: the next file stops half done until `letGo`. */
export function pauseMediaWorker({ deps: { mediaWorker } }: Pick<Product, 'deps'>) {
  const { run: work } = mediaWorker;
  const free = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<string>();
  mediaWorker.run = async (order, course) => {
    begun.resolve(inputPaths(order)[0] ?? '');
    await free.promise;
    return work(order, course);
  };
  return {
    /** Path of the file that the media worker processes. */
    begun: begun.promise,
    letGo: () => {
      mediaWorker.run = work;
      free.resolve();
    },
  };
}
