import { readFileSync } from 'node:fs';

/** Secret settings. `NAME_FILE` may name a file with the value instead, as containers provide secrets. */
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

/** Returns the settings with values from files, trimmed, and one sentence for each problem with such a file. */
export function readFileSettings(input: RawEnv): { values: RawEnv; problems: string[] } {
  const all = { ...input };
  const problems: string[] = [];
  for (const name of FILE_SETTINGS) {
    const fileVariable = `${name}_FILE`;
    const path = input[fileVariable];
    if (path === undefined) continue;
    delete all[fileVariable];
    if (input[name] !== undefined)
      problems.push(`${fileVariable}: ${name} is set as well; take one of them away`);
    else {
      const text = contentOf(path);
      if (text === '') problems.push(`${fileVariable}: ${path} is empty, or can't be read`);
      else all[name] = text;
    }
  }
  return { values: all, problems };
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
