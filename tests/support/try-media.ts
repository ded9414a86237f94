import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import type { Work } from '../../src/server/media-worker/door.ts';
import { createMediaWorker, type Outcome } from '../../src/server/media-worker/worker.ts';

/** Gives every film, song, picture and PDF of a folder to the media worker, and prints a table of what became of them; by hand. */

type Known = {
  name: string;
  kind: string;
  verdict: 'accepted' | 'refused' | 'either';
  what: string;
  /** How a picture should look, very small: three bytes a pixel, in base64. */
  see?: { w: number; h: number; rgb: string } | null;
};

/** Apart from how it should look by at most so much, of 255. */
const LIKE = 12;

const folder = process.env['MEDIA_FOLDER'];
if (folder === undefined)
  throw new Error('MEDIA_FOLDER must name a folder with films, songs, pictures and PDFs.');
const manifest = [join(folder, 'manifest.json'), join(folder, '..', 'manifest.json')].find((path) =>
  existsSync(path),
);
const known = manifest === undefined ? [] : (JSON.parse(readFileSync(manifest, 'utf8')) as Known[]);
const files = known.length > 0 ? known : readdirSync(folder).map(unknown);

function unknown(name: string): Known {
  if (/\.pdf$/i.test(name)) return { name, kind: 'tickets', verdict: 'either', what: '' };
  const isPicture = /\.(jpe?g|png|gif|webp|avif|heic|heif|hif|tiff?|dng|cr2|nef|arw)$/i.test(name);
  const kind = isPicture
    ? 'picture'
    : /\.(mp3|m4a|m4b|ogg|opus|wma|wav|flac|aac|amr|aiff?)$/i.test(name)
      ? 'song'
      : 'film';
  return { name, kind, verdict: 'either', what: '' };
}

const worker = createMediaWorker({ log: pino({ level: 'silent' }) });
const made = mkdtempSync(join(tmpdir(), 'try-media-'));
let wrong = 0;
for (const file of files) {
  const path = join(folder, file.name);
  const course = { signal: new AbortController().signal, progress: () => undefined };
  const begun = performance.now();
  const work = workOn(file.kind, path);
  if (work === null) continue;
  const outcome = await worker.do(work, course).catch((error: Error) => error);
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const look = await apart(file, outcome);
  const isRight = rightness(file, outcome) && (look === null || look <= LIKE);
  if (!isRight) wrong += 1;
  console.log(
    [
      isRight ? ' ' : '✗',
      file.name.padEnd(36),
      file.verdict.padEnd(9),
      said(outcome),
      ...(look === null ? [] : [`${look.toFixed(1)} apart`]),
      `${seconds} s`,
    ].join(' '),
  );
}
await worker.close();
rmSync(made, { recursive: true, force: true });
console.log(
  wrong === 0 ? 'None ended otherwise than it should.' : `${wrong} ended otherwise than they should.`,
);

function workOn(kind: string, path: string): Work | null {
  if (kind === 'film') return { what: 'film', path, made: join(made, 'film') };
  if (kind === 'song') return { what: 'song', path, made: join(made, 'song') };
  if (kind === 'picture') return { what: 'picture', path, made: join(made, 'picture'), use: 'shown' };
  return kind === 'tickets' ? { what: 'tickets', path } : null;
}

/** How far a picture is from how it should look, 0 to 255; null where nobody knows. */
async function apart({ see }: Known, outcome: Outcome | Error): Promise<number | null> {
  if (outcome instanceof Error || !('picture' in outcome) || see === undefined || see === null) return null;
  const wanted = Buffer.from(see.rgb, 'base64');
  const is = await sharp(join(made, 'picture'))
    .flatten({ background: '#ffffff' })
    .resize(see.w, see.h, { fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  const channels = is.length / (see.w * see.h);
  const at = (place: number) => is[channels === 3 ? place : Math.floor(place / 3)] ?? 0;
  return wanted.reduce((sum, value, place) => sum + Math.abs(value - at(place)), 0) / wanted.length;
}

function rightness({ verdict }: Known, outcome: Outcome | Error): boolean {
  if (outcome instanceof Error) return false;
  if (verdict === 'either') return true;
  return ('refused' in outcome ? 'refused' : 'accepted') === verdict;
}

function said(outcome: Outcome | Error): string {
  if (outcome instanceof Error) return `failed: ${outcome.message}`;
  if ('refused' in outcome) return `refused: ${outcome.refused}`;
  if ('tickets' in outcome)
    return `${outcome.tickets.pages} pages, ${outcome.tickets.joins ? 'can be joined' : 'alone'}`;
  if ('picture' in outcome) {
    const { width, height, extension } = outcome.picture;
    return `${extension} ${width}×${height}`;
  }
  if (!('made' in outcome)) return 'nothing';
  const { duration, width, height, kept, extension, hasSound } = outcome.made;
  const how = (isKept: boolean) => (isKept ? 'kept' : 'made');
  const picture = width > 0 ? `${width}×${height} ${how(kept.picture)}, ` : '';
  return `${extension} ${duration.toFixed(3)} s, ${picture}${hasSound ? `sound ${how(kept.sound)}` : 'no sound'}`;
}
