import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { Product } from '../../src/server/start.ts';
import { type Answered, call } from './http.ts';

type To = { url: string; cookie: string };

const TUS = { 'tus-resumable': '1.0.0' };

export const MEDIA = join(import.meta.dirname, '../fixtures/media');

const encoded = (metadata: Record<string, string>) =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

/** Creates an upload, like a tus client. */
export function announce(
  { url, cookie }: To,
  size: number | string,
  metadata: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answered> {
  return call(url, 'POST', '/admin/uploads', undefined, {
    cookie,
    headers: {
      ...TUS,
      'upload-length': String(size),
      'upload-metadata': encoded(metadata),
      ...headers,
    },
  });
}

/** Returns the id of a created upload. */
export function idOf(announced: Answered): string {
  const id = announced.headers.get('location')?.split('/').at(-1);
  if (announced.status !== 201 || id === undefined)
    throw new Error(`Not announced: ${announced.status} ${announced.text}`);
  return id;
}

/** Sends bytes from an offset on. */
export function send(
  { url, cookie }: To,
  id: string,
  offset: number | string,
  bytes: Buffer | ReadableStream<Uint8Array>,
  { headers = {}, ...more }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Answered> {
  const patch = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
  return call(url, 'PATCH', `/admin/uploads/${id}`, bytes, {
    cookie,
    headers: { ...TUS, ...patch, ...headers },
    ...more,
  });
}

/** Returns the number of received bytes. A request for the offset would end the request that is sending them. */
export async function arrived({ deps }: Pick<Product, 'deps'>, id: string): Promise<number> {
  return (await deps.uploads.folder.find(id))?.offset ?? 0;
}

/** Returns the number of received bytes; null if the upload does not exist (any more). */
export async function offsetOf({ url, cookie }: To, id: string): Promise<number | null> {
  const answer = await call(url, 'HEAD', `/admin/uploads/${id}`, undefined, { cookie, headers: TUS });
  return answer.status === 200 ? Number(answer.headers.get('upload-offset')) : null;
}

export function cancel({ url, cookie }: To, id: string): Promise<Answered> {
  return call(url, 'DELETE', `/admin/uploads/${id}`, undefined, { cookie, headers: TUS });
}

/** Polls until the check has ended. */
export async function finish({ url, cookie }: To, id: string): Promise<Answered> {
  for (;;) {
    const answer = await call(url, 'POST', `/admin/uploads/${id}/finish`, {}, { cookie });
    if (answer.body?.state !== 'working') return answer;
  }
}

/** Creates, sends and finishes an upload; returns the final reply, or the refusal of its creation. */
export async function upload(
  to: To,
  slot: string,
  file: Buffer | string,
  { filename }: { filename?: string } = {},
): Promise<Answered> {
  const bytes = typeof file === 'string' ? await readFile(file) : file;
  const name = filename ?? (typeof file === 'string' ? basename(file) : 'file.bin');
  const announced = await announce(to, bytes.length, { slot, filename: name });
  if (announced.status !== 201) return announced;
  const id = idOf(announced);
  const sent = await send(to, id, 0, bytes);
  return sent.status === 204 ? finish(to, id) : sent;
}

/** A valid film of this size: the fixture and a padding box, which players skip and the product drops. */
export async function filmOf(size: number): Promise<Buffer> {
  const film = await readFile(join(MEDIA, 'good.mp4'));
  const padding = Buffer.alloc(size - film.length, 7);
  padding.writeUInt32BE(padding.length, 0);
  padding.write('free', 4);
  return Buffer.concat([film, padding]);
}

/** Tickets of at least this size, which are stored unchanged. */
export async function ticketsOf(size: number): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  pdf.addPage();
  await pdf.attach(randomBytes(size), 'piano-dei-posti.bin');
  return Buffer.from(await pdf.save());
}
