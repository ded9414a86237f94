import { readFileSync } from 'node:fs';

/** Settings that are secrets: each may also be the name of a file that holds it, `NAME_FILE`, as containers hand them over. */
export const FILE_SETTINGS = [
  'AUTH_SECRET',
  'ENCRYPTION_SECRET',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'S3_KEY',
  'S3_SECRET',
  'METRICS_TOKEN',
  'SETUP_CODE',
  'ARCHIVE_PASSPHRASE',
] as const;

type RawEnv = Record<string, string | undefined>;

/** The settings with those in files read, without the space around them; and what is wrong with such a file, each in a sentence. */
export function readFileSettings(given: RawEnv): { given: RawEnv; problems: string[] } {
  const all = { ...given };
  const problems: string[] = [];
  for (const name of FILE_SETTINGS) {
    const place = `${name}_FILE`;
    const path = given[place];
    if (path === undefined) continue;
    delete all[place];
    if (given[name] !== undefined) problems.push(`${place}: ${name} is set as well; take one of them away`);
    else {
      const text = contentOf(path);
      if (text === '') problems.push(`${place}: ${path} is empty, or can't be read`);
      else all[name] = text;
    }
  }
  return { given: all, problems };
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
