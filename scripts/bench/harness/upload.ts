import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { announce, idOf } from '../../../tests/support/uploads.ts';

/** Bytes to send, and their number. */
export type Load = { bytes: number; from: Readable };

/** Returns a load of dummy bytes. */
export function emptyLoad(bytes: number): Load {
  const piece = Buffer.alloc(1024 ** 2, 'film');
  function* pieces() {
    for (let left = bytes; left > 0; left -= piece.length)
      yield left < piece.length ? piece.subarray(0, left) : piece;
  }
  return { bytes, from: Readable.from(pieces()) };
}

export async function fileLoad(path: string): Promise<Load> {
  return { bytes: (await stat(path)).size, from: createReadStream(path, { highWaterMark: 1024 ** 2 }) };
}

/** Sends the bytes in one request at full speed; resolves after the reply. */
export async function sendBody(
  url: string,
  { bytes, from }: Load,
  { method, headers }: { method: string; headers: Record<string, string> },
): Promise<void> {
  const sent = request(url, { method, headers: { ...headers, 'content-length': String(bytes) } });
  const answered = once(sent, 'response');
  const [, [answer]] = await Promise.all([pipeline(from, sent), answered as Promise<[IncomingMessage]>]);
  answer.resume();
  await once(answer, 'end');
  if ((answer.statusCode ?? 500) >= 300)
    throw new Error(`${bytes} bytes were answered with ${answer.statusCode}`);
}

/** Uploads a film like the product's page; returns the id of its upload. */
export async function uploadFilm(to: { url: string; cookie: string }, load: Load): Promise<string> {
  const id = idOf(await announce(to, load.bytes, { slot: 'video', filename: 'film.mp4' }));
  const headers = {
    origin: to.url,
    cookie: to.cookie,
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  };
  await sendBody(`${to.url}/api/admin/uploads/${id}`, load, { method: 'PATCH', headers });
  return id;
}
