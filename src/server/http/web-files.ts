import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** In order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A file of the built web, in memory. */
export type WebFile = {
  type: string;
  bytes: NonSharedBuffer;
  etag: string;
  /** Returns the compressed form: built, or created at the first request and cached; null if compression doesn't help. */
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
const MIN_COMPRESSED_BYTES = 512;
/** Extensions that the build adds to compressed files (vite.config.ts). */
const COMPRESSED_EXTENSIONS: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

/**
 * Reads the built web into memory, including its compressed forms. Keys are paths from the root with `/`; a path that isn't in the map
 * doesn't exist, so no path leads elsewhere. Omits hidden files and unknown types; empty if the folder is missing.
 */
export function readWebFiles(root: string): Map<string, WebFile> {
  const paths = new Set(listFiles(root));
  return toWebFiles([...paths], (path) => (paths.has(path) ? readFileSync(join(root, path)) : undefined));
}

/**
 * Converts files to web files.
 * @param paths from the root
 * @param read returns the bytes at a path
 */
export function toWebFiles(paths: readonly string[], read: Read): Map<string, WebFile> {
  const files = new Map<string, WebFile>();
  for (const path of paths) {
    const type = TYPES[extname(path)];
    if (type === undefined || path.startsWith('.')) continue;
    const bytes = read(path);
    if (bytes !== undefined) files.set(`/${path}`, webFile(type, bytes, builtForms(path, read)));
  }
  return files;
}

/** Returns the bytes at a path; undefined if there are none. */
type Read = (path: string) => NonSharedBuffer | undefined;

/** Returns the compressed forms of a file from the build. */
function builtForms(path: string, read: Read): Map<Encoding, Promise<NonSharedBuffer>> {
  const forms = new Map<Encoding, Promise<NonSharedBuffer>>();
  for (const encoding of ENCODINGS) {
    const compressedBytes = read(path + COMPRESSED_EXTENSIONS[encoding]);
    if (compressedBytes !== undefined) forms.set(encoding, Promise.resolve(compressedBytes));
  }
  return forms;
}

/** Lists paths from the root, with `/` on every system. */
function listFiles(root: string): string[] {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Creates a web file from bytes and existing compressed forms. */
export function webFile(
  type: string,
  bytes: NonSharedBuffer,
  forms: ReadonlyMap<Encoding, Promise<NonSharedBuffer>> = new Map(),
): WebFile {
  const cache = new Map<Encoding, Promise<NonSharedBuffer | null>>(forms);
  const isCompressible = COMPRESSIBLE.test(type) && bytes.length >= MIN_COMPRESSED_BYTES;
  return {
    type,
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    compressed(encoding) {
      const cached =
        cache.get(encoding) ?? (isCompressible ? compress(encoding, bytes) : Promise.resolve(null));
      cache.set(encoding, cached);
      return cached;
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
