/**
 * `MEDIA_FOLDER=… node scripts/try-media.mjs`: converts every film, song, picture and PDF of a folder with the media
 * worker and prints the results. Started by hand; it changes nothing.
 * A `manifest.json` in that folder or its parent has the expected results: `[{ name, kind, verdict, see }]`. `see` (`{
 * w, h, rgb }`) is the expected picture, very small: three bytes a pixel, in base64.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, node, run } from './setup.mjs';

/** Allowed mean difference from the expected picture, of 255. */
const LIKE = 12;

/** The product's own Node reads its TypeScript. */
if (realpathSync(node()) === realpathSync(process.execPath)) await tryAll();
else run(node(), [fileURLToPath(import.meta.url)]);

async function tryAll() {
  const folder = process.env.MEDIA_FOLDER;
  if (folder === undefined) fail('MEDIA_FOLDER must name a folder with films, songs, pictures and PDFs.');
  const { createMediaWorker } = await import('../src/server/media-worker/worker.ts');
  const { pino } = await import('pino');
  const manifest = [join(folder, 'manifest.json'), join(folder, '..', 'manifest.json')].find(existsSync);
  const files =
    manifest === undefined ? readdirSync(folder).map(unknown) : JSON.parse(readFileSync(manifest, 'utf8'));
  const worker = createMediaWorker({ log: pino({ level: 'silent' }) });
  const outputs = mkdtempSync(join(tmpdir(), 'try-media-'));
  let wrong = 0;
  for (const file of files) {
    const path = join(folder, file.name);
    const work = { task: file.kind, path, output: join(outputs, 'file'), use: 'shown' };
    const control = { signal: new AbortController().signal, progress: () => undefined };
    const begun = performance.now();
    const result = await worker.run(work, control).catch((error) => ({ failed: error.message }));
    const seconds = `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
    const off = 'picture' in result && file.see ? await meanDifference(file.see, work.output) : 0;
    const verdict = 'refused' in result ? 'refused' : 'accepted';
    const isRight = !('failed' in result) && [verdict, 'either'].includes(file.verdict) && off <= LIKE;
    if (!isRight) wrong += 1;
    const columns = [
      isRight ? ' ' : '✗',
      file.name.padEnd(36),
      file.verdict.padEnd(9),
      JSON.stringify(result),
      seconds,
    ];
    console.log(...columns, ...(off > 0 ? [`${off.toFixed(1)} apart`] : []));
  }
  await worker.close();
  rmSync(outputs, { recursive: true, force: true });
  console.log(
    wrong === 0 ? 'None ended otherwise than it should.' : `${wrong} ended otherwise than they should.`,
  );
}

function unknown(name) {
  const kinds = [
    ['tickets', /\.pdf$/i],
    ['picture', /\.(jpe?g|png|gif|webp|avif|heic|heif|hif|tiff?|dng|cr2|nef|arw)$/i],
    ['song', /\.(mp3|m4a|m4b|ogg|opus|wma|wav|flac|aac|amr|aiff?)$/i],
  ];
  return { name, kind: kinds.find(([, ending]) => ending.test(name))?.[0] ?? 'film', verdict: 'either' };
}

/** Returns the mean difference of a picture from the expected one, 0 to 255. */
async function meanDifference({ w, h, rgb }, path) {
  const { default: sharp } = await import('sharp');
  const shape = sharp(path).flatten({ background: '#ffffff' }).resize(w, h, { fit: 'fill' });
  const is = await shape.toColourspace('srgb').raw().toBuffer();
  const channels = is.length / (w * h);
  const at = (place) => is[channels === 3 ? place : Math.floor(place / 3)];
  const expected = Buffer.from(rgb, 'base64');
  return expected.reduce((sum, value, place) => sum + Math.abs(value - at(place)), 0) / expected.length;
}
