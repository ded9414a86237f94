import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { MEDIA } from './uploads.ts';

/** A file, where it is sent, and what becomes of it: the refusal, or the media type it is kept as. */
export type HostileCase = [name: string, slot: string, fate: string, make: () => Buffer | Promise<Buffer>];

export const fixture = (name: string) => readFile(join(MEDIA, name));
export const text = (content: string) => () => Buffer.from(content);
export const joined = async (...parts: (Buffer | string | Promise<Buffer>)[]) =>
  Buffer.concat((await Promise.all(parts)).map((part) => Buffer.from(part)));
export const cutAt = (name: string, share: number) => async () => {
  const bytes = await fixture(name);
  return bytes.subarray(0, Math.floor(bytes.length * share));
};
export const jpeg = () => fixture('../picture.jpg');
export const png = () => fixture('../ticket.png');
export const ZIP = Buffer.concat([
  Buffer.from('PK\x03\x04'),
  Buffer.alloc(26),
  deflateRawSync(Buffer.alloc(1_000)),
]);
