import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The best first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A file of the built web, in memory. */
export type WebFile = {
  type: string;
  bytes: NonSharedBuffer;
  etag: string;
  /** Its compressed form: as it was built, else made at the first wish and kept; null where compressing doesn't help. */
  compressed(encoding: Encoding): Promise<NonSharedBuffer | null>;
};

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.mp4': 'video/mp4',
  '.m4a': 'audio/mp4',
  '.pdf': 'application/pdf',
};
const COMPRESSIBLE = /^text\/|json|svg|wasm/;
const SMALLEST = 512;
/** What the build puts behind the name of a file that it has compressed (vite.config.ts). */
const ENDINGS: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

/**
 * Reads the built web whole, with what the build has compressed: what is not in the returned map (by its path from the root, with `/`) does
 * not exist, so no path can lead anywhere else. Hidden files and types we don't know are left out; without the folder the map is empty.
 */
export function readWebFiles(root: string): Map<string, WebFile> {
  const paths = new Set(listFiles(root));
  return toWebFiles([...paths], (path) => (paths.has(path) ? readFileSync(join(root, path)) : undefined));
}

/**
 * The same of any files.
 * @param paths from the root
 * @param read the bytes at a path; undefined where nothing is
 */
export function toWebFiles(paths: readonly string[], read: Read): Map<string, WebFile> {
  const files = new Map<string, WebFile>();
  for (const path of paths) {
    const type = TYPES[extname(path)];
    if (type === undefined || path.startsWith('.')) continue;
    const bytes = read(path);
    if (bytes !== undefined) files.set(`/${path}`, webFile(type, bytes, built(path, read)));
  }
  return files;
}

/** Returns the bytes at a path; undefined where nothing is. */
type Read = (path: string) => NonSharedBuffer | undefined;

/** The compressed forms that lie beside a file. */
function built(path: string, read: Read): Map<Encoding, Promise<NonSharedBuffer>> {
  const forms = new Map<Encoding, Promise<NonSharedBuffer>>();
  for (const encoding of ENCODINGS) {
    const beside = read(path + ENDINGS[encoding]);
    if (beside !== undefined) forms.set(encoding, Promise.resolve(beside));
  }
  return forms;
}

/** Paths from the root, with `/` on every system. */
function listFiles(root: string): string[] {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** A file of these bytes, with the compressed forms that there are already. */
export function webFile(
  type: string,
  bytes: NonSharedBuffer,
  forms: ReadonlyMap<Encoding, Promise<NonSharedBuffer>> = new Map(),
): WebFile {
  const made = new Map<Encoding, Promise<NonSharedBuffer | null>>(forms);
  const worthIt = COMPRESSIBLE.test(type) && bytes.length >= SMALLEST;
  return {
    type,
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    compressed(encoding) {
      const known = made.get(encoding) ?? (worthIt ? compress(encoding, bytes) : Promise.resolve(null));
      made.set(encoding, known);
      return known;
    },
  };
}

async function compress(encoding: Encoding, bytes: NonSharedBuffer): Promise<NonSharedBuffer | null> {
  const small =
    encoding === 'gzip'
      ? await promisify(gzip)(bytes, { level: 9 })
      : await promisify(brotliCompress)(bytes, BROTLI);
  return small.length < bytes.length ? small : null;
}

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
