import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { newFolder } from './server.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures');

/** Known values of a released version's data folder: creation time, a code, two visits' cookies, the administrator. */
export type OldKeys = {
  made_at: string;
  token: string;
  /** Cookie of a completed visit. */
  finished: string;
  /** Cookie of a visit that was at this step. */
  under_way: string;
  step: number;
  admin: { email: string; password: string };
  media: { key: string; nome: string }[];
};

export type OldFolder = { dataDir: string; keys: OldKeys };

/**
 * Copies a data folder of a released version: two visits with their answers, five files. That version created it with
 * its own `tests/support/http-evening.ts`. The files are the fixtures of the same names. The caller removes the folder.
 */
export async function oldFolder(version: '0.1.0'): Promise<OldFolder> {
  const dataDir = await newFolder();
  const source = join(FIXTURES, `data-${version}`);
  await cp(source, dataDir, { recursive: true, filter: (path) => !path.endsWith('keys.json') });
  mkdirSync(join(dataDir, 'media'), { mode: 0o700 });
  const keys = JSON.parse(readFileSync(join(source, 'keys.json'), 'utf8')) as OldKeys;
  for (const { key, nome } of keys.media) copyFileSync(join(FIXTURES, nome), join(dataDir, 'media', key));
  return { dataDir, keys };
}
