import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { PAGES } from '../../contract/pages.ts';
import { BARS, DRESSES, type Dress } from '../../domain/configuration.ts';
import { PREVIOUS_BUILD_MS } from '../../domain/limits.ts';
import { keysOf } from '../../domain/records.ts';
import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';
import { acceptedTypes, pagePolicy } from './edge.ts';
import { errorResponse } from './refusals.ts';
import type { Handler, HttpContext } from './request-context.ts';
import { contentDisposition, etagMatches, selectPart } from './send.ts';

/** Settings that a page shows from the first paint. `ownFooter`: the access screen's footer isn't the specification's. */
export type Look = { dress: Dress; ownFooter: boolean };

/** For names that contain a hash of their content: the file never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

/**
 * Serves the built web: `/` is `index.html`, admin pages are `admin.html`, others `app.html` (or `index.html` if there is only one); any
 * other path gets the same page with status 404. Also serves the previous build's assets. GET and HEAD only, without side effects.
 */
export function createWeb(
  { env, now }: Pick<Deps, 'env' | 'now'>,
  webRoot: string,
  lookNow: () => Promise<Look>,
): Handler {
  const files = toWebFiles(readContents(webRoot), '/');
  const index = createVariants(files.get('/index.html'));
  const shell = createVariants(files.get('/app.html')) ?? index;
  const admin = files.get('/admin.html')?.bytes.toString('utf8');
  const pages = new Set<string>(PAGES);
  const previous = previousAssets(env.DATA_DIR, now);
  return async (c) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD')
      return errorResponse('METHOD_NOT_ALLOWED', { Allow: 'GET, HEAD' });
    const { pathname } = new URL(c.req.url);
    if (pathname === '/robots.txt')
      return new Response('User-agent: *\nDisallow: /\n', { headers: { 'Content-Type': 'text/plain' } });
    const file = pathname.endsWith('.html') ? undefined : (files.get(pathname) ?? previous(pathname));
    if (file !== undefined)
      return serveFile(c, file, pathname.startsWith('/assets/') ? IMMUTABLE : REVALIDATE);
    // Earlier releases stored Piano B on phones here. Remove with the next release, as the last service worker (src/web/public/piano-b).
    if (/^\/piano-b(\/|$)/.test(pathname))
      return new Response(null, { status: 302, headers: { Location: '/' } });
    const path = pathname.replace(/(?<=[^/])\/$/, '');
    const isPage = pages.has(path);
    if (isPage && admin !== undefined && isAdmin(path)) return adminPage(env, admin);
    const look = await lookNow();
    const page = pathname === '/' ? index?.(look, siteOrigin(env, c.req.url)) : shell?.(look);
    if (page === undefined) return errorResponse('NOT_FOUND');
    return serveFile(c, page, REVALIDATE, isPage ? 200 : 404);
  };
}

const isAdmin = (path: string) => path === '/admin' || path.startsWith('/admin/');

/** Returns the origin of PUBLIC_URL, otherwise of the requested host (the listener has checked that there is one). */
function siteOrigin({ PUBLIC_URL }: Env, url: string): string | undefined {
  const { origin } = new URL(PUBLIC_URL ?? url);
  // A host name may contain characters with a meaning in HTML.
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined;
}

/** Maximum variants of a page that are cached; usually few, unless clients vary the Host header. */
const MAX_CACHED_PAGES = 8;

/** Returns a page by look, and with an absolute address of the preview picture, which chats need, by origin. Caches the variants. */
function createVariants(page: WebFile | undefined) {
  if (page === undefined) return undefined;
  const built = page.bytes.toString('utf8');
  const variants = new Map<string, WebFile>();
  return (look: Look, origin?: string): WebFile => {
    const key = `${look.dress} ${look.ownFooter} ${origin}`;
    let variant = variants.get(key);
    if (variant === undefined) {
      const html = inLook(built, look).replace(PICTURE, `content="${origin ?? ''}$1`);
      variant = html === built ? page : webFile(page.type, Buffer.from(html));
    }
    // Moves the entry to the end: the first one is the least recently used.
    variants.delete(key);
    variants.set(key, variant);
    const [oldest] = variants.keys();
    if (variants.size > MAX_CACHED_PAGES && oldest !== undefined) variants.delete(oldest);
    return variant;
  };
}

/** Preview picture in `index.html`. */
const PICTURE = /content="(\/og[a-z-]*\.png")/;

/**
 * Returns a page that is correct from the first paint: the dress's name on the root element, its theme colours and preview picture, and
 * whether the built footer stays hidden until the page has read its own. The build uses the first dress.
 */
function inLook(html: string, { dress, ownFooter }: Look): string {
  const [first] = DRESSES;
  const dressed =
    dress === first
      ? html
      : html
          .replace('<html', `<html data-dress="${dress}"`)
          .replaceAll(BARS[first].day, BARS[dress].day)
          .replaceAll(BARS[first].night, BARS[dress].night)
          .replace('"/og.png"', `"/og-${dress}.png"`);
  return ownFooter ? dressed.replace('<html', '<html data-footer="own"') : dressed;
}

/** Placeholder for the nonce in `admin.html`. */
const NONCE_SLOT = '__NONCE__';
const NONCE_BYTES = 18;

/** The administration's library writes style tags: each response has its own nonce for them, and isn't cached. */
function adminPage(env: Env, html: string): Response {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const bytes = Buffer.from(html.replace(NONCE_SLOT, nonce));
  return new Response(bytes, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(bytes.length),
      'Cache-Control': 'no-store',
      'Content-Security-Policy': pagePolicy(env, nonce),
    },
  });
}

async function serveFile(c: HttpContext, file: WebFile, caching: string, status = 200): Promise<Response> {
  const { type, bytes, etag } = file;
  const headers = {
    'Content-Type': type,
    'Cache-Control': caching,
    Vary: 'Accept-Encoding',
    ...(type === 'application/pdf' && DOWNLOAD_HEADERS),
  };
  if (PLAYABLE.test(type)) {
    const { range, ...head } = selectPart(c.env.incoming, { size: bytes.length, etag, headers });
    return new Response(range && bytes.subarray(range.start, range.end + 1), head);
  }
  const tagged = { ...headers, ETag: etag };
  if (status === 200 && etagMatches(c.req.header('if-none-match'), etag))
    return new Response(null, { status: 304, headers: tagged });
  const accepted = acceptedTypes(c.req.header('accept-encoding'));
  const encoding = keysOf(ENCODINGS).find((name) => accepted.has(name));
  const small = encoding === undefined ? null : await file.compressed(encoding);
  return new Response(small ?? bytes, {
    status,
    headers: {
      ...tagged,
      ...(small !== null && encoding !== undefined && { 'Content-Encoding': encoding }),
      'Content-Length': String((small ?? bytes).length),
    },
  });
}

/** Files that players request in ranges; those of iPhones require it. */
const PLAYABLE = /^(video|audio)\//;
/** Sent like the tickets, so that the phone handles the test file as it will handle the real ones. */
const DOWNLOAD_HEADERS = {
  'Content-Disposition': contentDisposition('attachment', 'biglietto-di-prova.pdf'),
};

/** Compressed forms in order of preference. `extension`: added by the build (vite.config.ts). */
const ENCODINGS = {
  br: { extension: '.br', compress: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI) },
  gzip: { extension: '.gz', compress: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }) },
};
type Encoding = keyof typeof ENCODINGS;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** A file of the built web, in memory. */
type WebFile = {
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
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.mp4': 'video/mp4',
  '.m4a': 'audio/mp4',
  '.pdf': 'application/pdf',
};
const COMPRESSIBLE = /^text\/|json|svg|wasm/;
const MIN_COMPRESSED_BYTES = 512;

/** Files of a folder, including compressed forms, by path with `/`. */
type Contents = Record<string, NonSharedBuffer>;

/** Reads a folder into memory; empty if it is missing. */
function readContents(root: string): Contents {
  if (!fs.existsSync(root)) return {};
  const entries = fs.readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    paths.map((path) => [relative(root, path).split(sep).join('/'), fs.readFileSync(path)]),
  );
}

/**
 * Returns the files to serve by address; an address that isn't in the map doesn't exist, so none leads elsewhere. Omits hidden files and
 * unknown types.
 */
function toWebFiles(contents: Contents, folder: '/' | '/assets/'): ReadonlyMap<string, WebFile> {
  const files = new Map<string, WebFile>();
  for (const [path, bytes] of Object.entries(contents)) {
    const type = TYPES[extname(path)];
    if (type === undefined || path.startsWith('.')) continue;
    const built = (encoding: Encoding) => contents[path + ENCODINGS[encoding].extension];
    files.set(folder + path, webFile(type, bytes, built));
  }
  return files;
}

/** Creates a web file. `built` returns a compressed form from the build. */
export function webFile(
  type: string,
  bytes: NonSharedBuffer,
  built: (encoding: Encoding) => NonSharedBuffer | undefined = () => undefined,
): WebFile {
  const forms = new Map<Encoding, Promise<NonSharedBuffer | null>>();
  const isCompressible = COMPRESSIBLE.test(type) && bytes.length >= MIN_COMPRESSED_BYTES;
  const compressed = async (encoding: Encoding) => {
    const form = built(encoding);
    if (form !== undefined || !isCompressible) return form ?? null;
    const small = await ENCODINGS[encoding].compress(bytes);
    return small.length < bytes.length ? small : null;
  };
  return {
    type,
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    compressed(encoding) {
      const form = forms.get(encoding) ?? compressed(encoding);
      forms.set(encoding, form);
      return form;
    },
  };
}

/*
 * `DATA_DIR/web/current-…` holds the assets of this build, `DATA_DIR/web/previous` those of the previous one (decision 103). Each is one
 * file: hundreds of files would slow the start by a second on a small machine.
 */

const folderIn = (dataDir: string): string => join(dataDir, 'web');

/** Stores the assets of this build. If it is a new build, the stored one becomes the previous build. A failure is only logged. */
export function keepAssets(webRoot: string, { env, now, log }: Pick<Deps, 'env' | 'now' | 'log'>): void {
  const assets = join(webRoot, 'assets');
  if (!fs.existsSync(assets)) return;
  try {
    const folder = folderIn(env.DATA_DIR);
    const names = fs.readdirSync(assets).toSorted();
    // Names contain content hashes: equal names mean the same build.
    const current = `current-${createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16)}`;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (fs.existsSync(join(folder, current))) return;
    makePrevious(folder, now());
    const unfinished = join(folder, `unfinished-${process.pid}`);
    fs.writeFileSync(unfinished, serialize(readContents(assets)), { mode: 0o600 });
    fs.renameSync(unfinished, join(folder, current));
  } catch (error) {
    log.warn(
      { err: error },
      'the assets of this build could not be kept: pages opened now may break at the next update',
    );
  }
}

/** Makes the current build the previous one, replaced at `at`. Removes other files in the folder. */
function makePrevious(folder: string, at: Date): void {
  const names = fs.readdirSync(folder);
  const replacedAt = names.find((name) => name.startsWith('current-'));
  for (const name of names)
    if (name !== replacedAt && (replacedAt !== undefined || name !== 'previous'))
      fs.rmSync(join(folder, name), { force: true });
  if (replacedAt === undefined) return;
  fs.renameSync(join(folder, replacedAt), join(folder, 'previous'));
  fs.utimesSync(join(folder, 'previous'), at, at);
}

/** Returns a lookup of the previous build's assets by path, until `PREVIOUS_BUILD_MS` have passed. They are read at the first lookup. */
export function previousAssets(dataDir: string, now: () => Date): (path: string) => WebFile | undefined {
  const previous = join(folderIn(dataDir), 'previous');
  const replacedAt = fs.statSync(previous, { throwIfNoEntry: false })?.mtimeMs;
  let files: ReadonlyMap<string, WebFile> | undefined;
  return (path) => {
    if (replacedAt === undefined || !path.startsWith('/assets/')) return undefined;
    files = now().getTime() - replacedAt < PREVIOUS_BUILD_MS ? (files ?? readAssets(previous)) : new Map();
    return files.get(path);
  };
}

/** Returns no assets if the file is incomplete, as after a power cut. */
function readAssets(path: string): ReadonlyMap<string, WebFile> {
  try {
    return toWebFiles(deserialize(fs.readFileSync(path)), '/assets/');
  } catch {
    return new Map();
  }
}
