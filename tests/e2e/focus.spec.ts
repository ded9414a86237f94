import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { MediaItem } from '../../src/contract/admin/media-item.ts';
import type { Fuoco } from '../../src/domain/focus.ts';
import { enter, expect, inTime, test } from './support/stage.ts';
import { oneTrip } from './support/surprises.ts';
import { startVideo } from './support/walk.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const PICTURE = { width: 1_600, height: 1_200 };
/** Where the titles would be. */
const POINT: Fuoco = { x: 0.95, y: 0.9 };
const RED = { r: 255, g: 0, b: 0 };

/** A blue picture with a red disc at the point. */
async function disc(path: string): Promise<string> {
  const [radius, x, y] = [60, POINT.x * PICTURE.width, POINT.y * PICTURE.height];
  const svg = `<svg width="1600" height="1200"><circle cx="${x}" cy="${y}" r="${radius}" fill="red"/></svg>`;
  const blue = sharp({ create: { ...PICTURE, channels: 3, background: { r: 0, g: 0, b: 255 } } });
  await writeFile(
    path,
    await blue
      .composite([{ input: Buffer.from(svg) }])
      .png()
      .toBuffer(),
  );
  return path;
}

test('the point that was chosen is in view, and under no words, on a phone, on one that lies, and on a computer', async ({
  page,
  prepare,
}, info) => {
  const image = await disc(join(info.outputPath(), 'disc.png'));
  const config = {
    ...oneTrip.config,
    frasi_pre_video: [],
    frasi: [],
    durata_immagine_destinazione_secondi: 20,
  };
  const evening = await prepare({ config, questions: oneTrip.questions, files: { ...oneTrip.files, image } });
  const [item] = await evening.admin.call<MediaItem[]>('GET', '/admin/media/immagine');
  await evening.admin.call('POST', `/admin/media/immagine/${item?.id}/focus`, { fuoco: POINT });
  const { token } = await evening.code();
  await enter(page, evening, token);
  await startVideo(page);
  await inTime(page, page.getByText('Lisbona', { exact: true }));
  for (const size of [
    { width: 390, height: 844 },
    { width: 844, height: 390 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size);
    // The whole disc, and nothing beside it.
    const clip = { x: POINT.x * size.width - 3, y: POINT.y * size.height - 3, width: 6, height: 6 };
    await expect.poll(async () => colourOf(await page.screenshot({ clip }))).toEqual(RED);
  }
});

/** The colour of most of a picture, roughly. */
async function colourOf(picture: Buffer) {
  const { dominant } = await sharp(picture).stats();
  const rough = (value: number) => (value > 180 ? 255 : 0);
  return { r: rough(dominant.r), g: rough(dominant.g), b: rough(dominant.b) };
}
