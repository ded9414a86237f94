/** The two destination pictures. */
import { writeFile } from 'node:fs/promises';
import { draw, takeJpeg } from './studio.mjs';

export async function makePicture(page, name, target, limit = 250_000) {
  await draw(page, `${name}.mjs`, name);
  await writeFile(target, await takeJpeg(page, limit));
}
