import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { resolve } from 'node:path';

const film = resolve(import.meta.dirname, '../../fixtures/video-3s.mp4');
const CHUNK = 1024 * 1024;

/** A film of three seconds that weighs `megabytes`: what follows its pictures is a box that players pass over, and nothing repeats in it. */
export async function heavyFilm(path: string, megabytes: number): Promise<{ path: string; sha256: string }> {
  await copyFile(film, path);
  const file = await open(path, 'a');
  try {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(megabytes * CHUNK + head.length, 0);
    head.write('free', 4, 'latin1');
    await file.appendFile(head);
    for (let part = 0; part < megabytes; part += 1)
      await file.appendFile(Buffer.alloc(CHUNK, `part ${part} `));
  } finally {
    await file.close();
  }
  return { path, sha256: await sha256Of(path) };
}

/** The SHA-256 of a file, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
