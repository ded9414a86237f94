import type Library from 'sharp';

let ready: Promise<typeof Library> | undefined;

/** sharp, when the first picture comes: it reads JPEG and PNG here and nothing else, and keeps nothing in memory. */
export function pictureLibrary(): Promise<typeof Library> {
  ready ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] });
    return sharp;
  });
  return ready;
}
