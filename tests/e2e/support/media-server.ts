import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'vite';
import { securityHeaders } from '../../../src/server/http/security-headers.ts';
import { onceInRun } from '../../support/once-a-run.ts';

/** What is wrong with the media, until something else is. */
export type Fault = {
  /** Answers break off silently (nothing more comes, the connection stays) after so many bytes in all. */
  stopAfter?: number;
  status?: number;
  bytesPerSecond?: number;
  /** Nothing is wrong with a film asked for as `?light`. */
  sparesLight?: boolean;
};

export type MediaServer = {
  url: string;
  fault: Fault;
  /** Paths, whether it was the light film, and Range headers asked for. */
  asked: { path: string; light: boolean; range: string | undefined }[];
  /** Every connection breaks, as when a phone loses its network. */
  cut(): void;
  stop(): Promise<void>;
};

const fixtures = resolve(import.meta.dirname, '../../fixtures');
const harness = resolve(import.meta.dirname, '../harness');
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.mp4': 'video/mp4',
  '.mp3': 'audio/mpeg',
  '.jpg': 'image/jpeg',
  '.pdf': 'application/pdf',
};

/** The harness page, built once in a run, on a server whose network can be made to fail. */
export async function startMediaServer(): Promise<MediaServer> {
  const files = await buildHarness();
  const state: Pick<MediaServer, 'fault' | 'asked'> = { fault: {}, asked: [] };
  const server = createServer((request, response) => {
    answer(request, response, files, state).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, {
    url,
    cut: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}

async function buildHarness(): Promise<Map<string, Uint8Array>> {
  const outDir = await onceInRun('media harness', async (folder) => {
    await build({
      root: harness,
      configFile: false,
      logLevel: 'error',
      build: { outDir: folder, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    });
    return folder;
  });
  const names = await readdir(outDir, { recursive: true, withFileTypes: true });
  const paths = names.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    await Promise.all(
      paths.map(
        async (path): Promise<[string, Uint8Array]> => [`/${relative(outDir, path)}`, await readFile(path)],
      ),
    ),
  );
}

type State = Pick<MediaServer, 'fault' | 'asked'>;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  files: Map<string, Uint8Array>,
  state: State,
): Promise<void> {
  const { pathname: path, search } = new URL(request.url ?? '/', 'http://local');
  const light = search === '?light';
  const built = files.get(path === '/' ? '/index.html' : path);
  response.setHeader('Content-Type', TYPES[extname(path) || '.html'] ?? 'application/octet-stream');
  for (const [name, value] of Object.entries(securityHeaders({ PUBLIC_URL: undefined }))) {
    response.setHeader(name, value);
  }
  if (built !== undefined) return void response.end(built);
  if (path === '/favicon.ico') return void response.writeHead(204).end();
  state.asked.push({ path, light, range: request.headers.range });
  if (path.startsWith('/media/')) return sendMedia(request, response, { path, light }, state);
  response.setHeader('Content-Disposition', 'attachment; filename="biglietti.pdf"');
  response.end(await readFile(resolve(fixtures, 'ticket.pdf')));
}

async function sendMedia(
  request: IncomingMessage,
  response: ServerResponse,
  { path, light }: Pick<State['asked'][number], 'path' | 'light'>,
  state: State,
): Promise<void> {
  if (state.fault.status !== undefined) return void response.writeHead(state.fault.status).end();
  const bytes = await readFile(resolve(fixtures, path.slice('/media/'.length)));
  const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  response.writeHead(206, {
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'no-store',
    'Content-Range': `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
    'Content-Length': bytes.length - start,
  });
  const faulty = () => path.endsWith('.mp4') && !(light && state.fault.sparesLight === true);
  for (let at = start; at < bytes.length && !response.destroyed; ) {
    const { stopAfter, bytesPerSecond } = faulty() ? state.fault : {};
    const until = Math.min(bytes.length, at + (bytesPerSecond === undefined ? 16_384 : bytesPerSecond / 10));
    if (stopAfter !== undefined && until > stopAfter) return;
    response.write(bytes.subarray(at, until));
    at = until;
    if (bytesPerSecond !== undefined) await sleep(100);
  }
  response.end();
}
