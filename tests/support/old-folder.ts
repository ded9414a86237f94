import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { newFolder } from './server.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures');

/** What is known of a data folder of a released version beside what is in it: when it was made, her code, two visits' cookies, the administrator. */
export type OldKeys = {
  made_at: string;
  token: string;
  /** Of a visit that was walked to its end. */
  finished: string;
  /** Of one that stood at this step. */
  under_way: string;
  step: number;
  admin: { email: string; password: string };
  media: { key: string; nome: string }[];
};

export type OldFolder = { dataDir: string; keys: OldKeys };

/**
 * A data folder as the product left it at a released version: two visits with their answers, five files. It was made by that version itself, by its own
 * `tests/support/http-evening.ts`; the files are the fixtures of the same names, so they aren't kept twice. The caller removes it.
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
