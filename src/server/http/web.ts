import { randomBytes } from 'node:crypto';
import { PAGES } from '../../contract/pages.ts';
import { BARS, DRESSES, type Dress } from '../../domain/configuration.ts';
import type { Env } from '../env.ts';
import { pagePolicy } from './headers.ts';
import { previousAssets } from './kept-assets.ts';
import { errorResponse } from './refusals.ts';
import type { HttpContext } from './request-context.ts';
import { contentDisposition, etagMatches, ifRangeMatches, parseRange } from './send.ts';
import { ENCODINGS, type Encoding, readWebFiles, type WebFile, webFile } from './web-files.ts';

type Settings = Pick<Env, 'PUBLIC_URL' | 'listener'>;
/** Settings that a page shows from the first paint. `ownFooter`: the access screen's footer isn't the specification's. */
export type Look = { dress: Dress; ownFooter: boolean };
type WebDeps = { env: Settings & Pick<Env, 'DATA_DIR'>; now(): Date };

/** For names that contain a hash of their content: the file never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';
/** Placeholder for the nonce in `admin.html`. */
const NONCE_SLOT = '__NONCE__';
const NONCE_BYTES = 18;

/**
 * Serves the built web: `/` is `index.html`, admin pages are `admin.html`, others `app.html` (or `index.html` if there is only one); any
 * other path gets the same page with status 404. Also serves the previous build's assets. GET and HEAD only, without side effects.
 */
export function createWeb(
  { env, now }: WebDeps,
  webRoot: string,
  lookNow: () => Promise<Look>,
): (c: HttpContext) => Promise<Response> {
  const files = readWebFiles(webRoot);
  const index = files.get('/index.html');
  const preview = index && withPreview(env, index);
  const shell = createVariants(files.get('/app.html') ?? index);
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
    if (isPage && admin !== undefined && isAdmin(path)) return adminPage(c, env, admin);
    const look = await lookNow();
    const page = pathname === '/' ? preview?.(c.req.url, look) : shell?.(look);
    if (page === undefined) return errorResponse('NOT_FOUND');
    return serveFile(c, page, REVALIDATE, isPage ? 200 : 404);
  };
}

/** Maximum hosts whose page is cached; usually one, unless clients vary the Host header. */
const MAX_CACHED_PAGES = 8;

/**
 * Returns `/` with an absolute address of the preview picture, which chats need: from PUBLIC_URL, otherwise from the requested host (the
 * listener has checked that there is one).
 */
function withPreview({ PUBLIC_URL }: Settings, index: WebFile): (url: string, look: Look) => WebFile {
  const pages = createVariants(index);
  const variants = new Map<string, WebFile>();
  return (url, look) => {
    const { origin } = new URL(PUBLIC_URL ?? url);
    // A host name may contain characters with a meaning in HTML.
    const page = pages(look);
    if (!/^https?:\/\/[\w.:[\]-]+$/.test(origin)) return page;
    const html = page.bytes.toString('utf8');
    const key = `${page.etag} ${origin}`;
    const isPage =
      variants.get(key) ?? webFile(page.type, Buffer.from(html.replace(PICTURE, `content="${origin}$1`)));
    // Moves the entry to the end: the first one is the least recently used.
    variants.delete(key);
    variants.set(key, isPage);
    const [oldest] = variants.keys();
    if (variants.size > MAX_CACHED_PAGES && oldest !== undefined) variants.delete(oldest);
    return isPage;
  };
}

/**
 * Returns a page per look, correct from the first paint: the dress's name on the root element, its theme colours and preview picture, and
 * whether the built footer stays hidden until the page has read its own. The build uses the first dress.
 */
function createVariants(page: WebFile): (look: Look) => WebFile;
function createVariants(page: WebFile | undefined): ((look: Look) => WebFile) | undefined;
function createVariants(page: WebFile | undefined): ((look: Look) => WebFile) | undefined {
  if (page === undefined) return undefined;
  const [first] = DRESSES;
  const toFile = (html: string) => webFile(page.type, Buffer.from(html));
  const variants = new Map<string, WebFile>();
  for (const dress of DRESSES) {
    const file = dress === first ? page : toFile(inDress(dress));
    const own = toFile(String(file.bytes).replace('<html', '<html data-footer="own"'));
    variants.set(`${dress} false`, file).set(`${dress} true`, own);
  }
  return ({ dress, ownFooter }) => variants.get(`${dress} ${ownFooter}`) ?? page;

  function inDress(dress: Dress): string {
    return String(page?.bytes)
      .replace('<html', `<html data-dress="${dress}"`)
      .replaceAll(BARS[first].day, BARS[dress].day)
      .replaceAll(BARS[first].night, BARS[dress].night)
      .replace('"/og.png"', `"/og-${dress}.png"`);
  }
}

/** Preview picture in `index.html`. */
const PICTURE = /content="(\/og[a-z-]*\.png")/;

const isAdmin = (path: string) => path === '/admin' || path.startsWith('/admin/');

/** The administration's library writes style tags: each response has its own nonce for them, and isn't cached. */
function adminPage(c: HttpContext, env: Settings, html: string): Response {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const bytes = Buffer.from(html.replace(NONCE_SLOT, nonce));
  return new Response(c.req.method === 'HEAD' ? null : bytes, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(bytes.length),
      'Cache-Control': 'no-store',
      'Content-Security-Policy': pagePolicy(env, nonce),
    },
  });
}

async function serveFile(c: HttpContext, file: WebFile, caching: string, status = 200): Promise<Response> {
  const headers = {
    'Content-Type': file.type,
    'Cache-Control': caching,
    ETag: file.etag,
    Vary: 'Accept-Encoding',
  };
  if (status === 200 && etagMatches(c.req.header('if-none-match'), file.etag))
    return new Response(null, { status: 304, headers });
  if (PLAYABLE.test(file.type)) return servePlayable(c, file, headers);
  if (file.type === PDF) Object.assign(headers, DOWNLOAD_HEADERS);
  const encoding = preferredEncoding(c.req.header('accept-encoding'));
  const small = encoding === null ? null : await file.compressed(encoding);
  const bytes = small ?? file.bytes;
  const encoded = small === null || encoding === null ? {} : { 'Content-Encoding': encoding };
  return new Response(bytes, {
    status,
    headers: { ...headers, ...encoded, 'Content-Length': String(bytes.length) },
  });
}

/** Files that players request in ranges; those of iPhones require it. */
const PLAYABLE = /^(video|audio)\//;
const PDF = 'application/pdf';
/** Sent like the tickets, so that the phone handles the test file as it will handle the real ones. */
const DOWNLOAD_HEADERS = {
  'Content-Disposition': contentDisposition('attachment', 'biglietto-di-prova.pdf'),
};

function servePlayable(c: HttpContext, { bytes, etag }: WebFile, shared: Record<string, string>): Response {
  const headers = { ...shared, 'Accept-Ranges': 'bytes' };
  const size = bytes.length;
  const rangeHeader = ifRangeMatches(c.req.header('if-range'), etag) ? c.req.header('range') : undefined;
  const parsedRange = parseRange(rangeHeader, size);
  if (parsedRange.kind === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` } });
  const fullRange = { start: 0, end: size - 1 };
  const { start, end } = parsedRange.kind === 'part' ? parsedRange.range : fullRange;
  const part = parsedRange.kind === 'part' ? { 'Content-Range': `bytes ${start}-${end}/${size}` } : {};
  return new Response(bytes.subarray(start, end + 1), {
    status: parsedRange.kind === 'part' ? 206 : 200,
    headers: { ...headers, ...part, 'Content-Length': String(end + 1 - start) },
  });
}

function preferredEncoding(accepted: string | undefined): Encoding | null {
  const names = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.trim())
    .filter((item) => !/;\s*q=0(\.0*)?$/.test(item))
    .map((item) => item.replace(/;.*$/, ''));
  return ENCODINGS.find((encoding) => names.includes(encoding)) ?? null;
}
