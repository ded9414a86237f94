import { resolve } from 'node:path';
import type { Locator, Page, Route } from '@playwright/test';
import type { MediaItem } from '../../../src/contract/admin/media.ts';
import type { SlotName } from '../../../src/domain/media.ts';
import { inputPaths } from '../../../src/server/media-worker/door.ts';
import type { Product } from '../../../src/server/start.ts';
import type { AdminSite } from './admin.ts';

/** Steps and checks for tests of the media pages. */

export const fixture = (name: string) => resolve(import.meta.dirname, '../../fixtures', name);
export const MB = 1024 ** 2;

/** Chooses a file through the button that opens the system's dialog. The upload starts automatically. */
export async function choose(page: Page, button: string | RegExp, file: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await choosing).setFiles(file);
}

export const listed = ({ admin }: AdminSite, slot: SlotName) =>
  admin.call<MediaItem[]>('GET', `/admin/media/${slot}`);
export const card = (page: Page, nome: string) => page.getByRole('listitem').filter({ hasText: nome });
export const dialog = (page: Page, title: string | RegExp) => page.getByRole('dialog', { name: title });

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

/** Pauses the media worker: the next file stops half done, and all after it wait until `letGo`. */
export function pauseMediaWorker({ deps: { mediaWorker } }: Pick<Product, 'deps'>) {
  const { run: work } = mediaWorker;
  const free = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<string>();
  let isNext = true;
  mediaWorker.run = async (order, course) => {
    if (isNext) {
      isNext = false;
      course.progress(0.5);
      begun.resolve(inputPaths(order)[0] ?? '');
    }
    const stopped = new Promise((done) => course.signal.addEventListener('abort', done));
    if (!course.signal.aborted) await Promise.race([free.promise, stopped]);
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

/** Plays a film to its end. Returns its size, duration and whether frames were shown. */
export function playedThrough(player: Locator) {
  return player.evaluate(async (video: HTMLVideoElement) => {
    const ended = new Promise((done, reject) => {
      video.addEventListener('ended', done);
      video.addEventListener('error', () => reject(new Error(video.error?.message)));
    });
    video.muted = true;
    await video.play();
    await ended;
    const { videoWidth: width, videoHeight: height, duration } = video;
    return { width, height, duration, shown: video.getVideoPlaybackQuality().totalVideoFrames > 1 };
  });
}
