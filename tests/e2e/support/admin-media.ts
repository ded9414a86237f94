import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator, Page, Route } from '@playwright/test';
import type { MediaItem } from '../../../src/contract/admin/media-item.ts';
import type { SlotName } from '../../../src/domain/media-slots.ts';
import { type AdminSite, endAdminSessions, expect } from './admin.ts';

/** What the tests of the pages of files do and look at. */

export const fixture = (name: string) => resolve(import.meta.dirname, '../../fixtures', name);
export const MB = 1024 ** 2;

export const VIDEO = 'File: Il video';
export const IMAGE = 'File: Immagine della destinazione';
export const TICKETS = 'File: Biglietti';
export const SONG = 'File: La canzone';

export function notice(page: Page, text: string) {
  return page.locator('[data-sonner-toast]').filter({ hasText: text });
}

/** The notice is on the screen. What a film is made into before takes its time on a busy machine. */
export async function told(page: Page, text: string): Promise<void> {
  await expect(notice(page, text).first()).toBeVisible({ timeout: 60_000 });
}

/** Chooses a file: it leaves by itself. */
export async function upload(page: Page, field: string, file: string): Promise<void> {
  await page.getByLabel(field).setInputFiles(file);
}

export const listed = ({ admin }: AdminSite, slot: SlotName) =>
  admin.call<MediaItem[]>('GET', `/admin/media/${slot}`);
export const config = ({ admin }: AdminSite) => admin.call<Record<string, unknown>>('GET', '/admin/config');
export const card = (page: Page, nome: string) => page.getByRole('listitem').filter({ hasText: nome });
export const dialog = (page: Page, title: string) => page.getByRole('dialog', { name: title });

/** What is on its way on the server, by the names of its files. */
export const arriving = ({ server }: AdminSite) => readdir(join(server.deps.env.DATA_DIR, 'uploads'));

/** An answer that isn't our server's. */
export const broken = (route: Route) =>
  route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Oops</h1>' });

/** The session ends just before the next file is announced; nothing else of the page has noticed. */
export async function endSessionBeforeUpload(page: Page, { server }: AdminSite): Promise<void> {
  let ended = false;
  await page.route('**/api/admin/uploads', async (route) => {
    if (!ended && route.request().method() === 'POST') {
      ended = true;
      await endAdminSessions(server);
    }
    await route.continue();
  });
}

/** The line between the page and the server: its chunks can be held up. */
export async function lineThrough(page: Page) {
  let hindrance: { offset: number; hinder: (route: Route) => Promise<void> } | undefined;
  let resumed: number | undefined;
  await page.route('**/api/admin/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const offset = Number(route.request().headers()['upload-offset']);
    resumed ??= offset;
    if (hindrance?.offset === offset) return hindrance.hinder(route);
    return route.continue();
  });
  return {
    /** From now on the chunk after so many (of 5 MB) doesn't get through. */
    beforeChunk: (count: number, hinder: (route: Route) => Promise<void>) => {
      hindrance = { offset: count * 5 * MB, hinder };
    },
    free: () => {
      hindrance = undefined;
      resumed = undefined;
    },
    /** Where the first chunk since `free` began, in bytes. */
    resumedAt: () => resumed,
  };
}

/** Plays a film to its end; what was seen of it. */
export function playedThrough(player: Locator) {
  return player.evaluate(async (video: HTMLVideoElement) => {
    const ended = new Promise((resolve, reject) => {
      video.addEventListener('ended', resolve);
      video.addEventListener('error', () => reject(new Error(video.error?.message)));
    });
    video.muted = true;
    await video.play();
    await ended;
    const { videoWidth: width, videoHeight: height, duration } = video;
    return { width, height, duration, shown: video.getVideoPlaybackQuality().totalVideoFrames > 1 };
  });
}
