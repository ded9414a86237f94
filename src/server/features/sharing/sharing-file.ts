import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { SHARING_TROUBLES, TUNNELS } from '../../../contract/admin/site-address.ts';

const processSchema = z.object({ pid: z.int().positive(), started: z.string().min(1) });

/** State of a tunnel process, stored for the product and its next start. */
const fileSchema = z.object({
  tunnel: z.enum(TUNNELS),
  /** Local port that the tunnel leads to, on the loopback address. */
  port: z.int().positive(),
  keeper: processSchema,
  /** The tunnel's program; null if it isn't a separate process. */
  child: processSchema.nullable(),
  address: z.string().nullable(),
  enable: z.string().nullable(),
  trouble: z.enum(SHARING_TROUBLES).nullable(),
});
export type SharingFile = z.infer<typeof fileSchema>;

/** Folder of what outlasts the process: the tunnel file and a downloaded program. */
export const sharingFolder = (dataDir: string): string => join(dataDir, 'sharing');
const pathIn = (folder: string) => join(folder, 'tunnel.json');

/** Returns null if the file is missing or unreadable. */
export function readSharingFile(folder: string): SharingFile | null {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(pathIn(folder), 'utf8')));
  } catch {
    return null;
  }
}

export function writeSharingFile(folder: string, file: SharingFile): void {
  mkdirSync(folder, { recursive: true });
  const part = `${pathIn(folder)}.${process.pid}`;
  writeFileSync(part, JSON.stringify(file), { mode: 0o600 });
  renameSync(part, pathIn(folder));
}

export const removeSharingFile = (folder: string): void => rmSync(pathIn(folder), { force: true });
