import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pinnedNode } from '../../scripts/platform.mjs';

/** Supported platforms; the lock file must be complete for each. */
const PLATFORMS = [
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'x64'],
  ['darwin', 'arm64'],
  ['win32', 'x64'],
] as const;

type Entry = {
  version?: string;
  integrity?: string;
  os?: string | string[];
  cpu?: string | string[];
  dev?: true;
  devOptional?: true;
  optional?: true;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const root = join(import.meta.dirname, '../..');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>;
};
const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  optionalDependencies: Record<string, string>;
};
const SHA512 = expect.stringMatching(/^sha512-/) as string;

it.each(PLATFORMS)('has the pinned Node of %s %s', (platform, arch) => {
  const { folder = '' } = pinnedNode(platform, arch) ?? {};
  const version = optionalDependencies[folder.replace('node_modules/', '')];
  expect(packages[folder]).toMatchObject({ version });
  expect(version).toBe(packages[pinnedNode('linux', 'x64')?.folder ?? '']?.version);
  expect([packages[folder]?.os, packages[folder]?.cpu].flat()).toEqual([platform, arch]);
});

/**
 * npm omits from the lock file every optional package that was unavailable when writing it; `npm ci` then refuses the
 * file.
 */
it('has every optional package, also of other platforms, without download addresses', () => {
  for (const [path, entry] of Object.entries(packages)) {
    for (const name of Object.keys(entry.optionalDependencies ?? {}))
      expect(packages[seenFrom(path, name)], `${name} of ${path}`).toMatchObject({ integrity: SHA512 });
    expect('resolved' in entry, path).toBe(false);
  }
});

it('has no package for the product that only a peer dependency asks for, because npm start ignores those', () => {
  const found = new Set(['']);
  for (const path of found) {
    const { dependencies, optionalDependencies: optional } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optional })) found.add(seenFrom(path, name));
  }
  const needed = Object.entries(packages).filter(([, one]) => !one.dev && !one.devOptional && !one.optional);
  expect(needed.map(([path]) => path).filter((path) => !found.has(path))).toEqual([]);
});

/** Returns the location of a package for another: its own `node_modules`, or the nearest one above. */
function seenFrom(path: string, name: string): string {
  const own = `${path === '' ? '' : `${path}/`}node_modules/${name}`;
  if (own in packages || path === '') return own;
  return seenFrom(path.slice(0, path.lastIndexOf('node_modules/')).replace(/\/$/, ''), name);
}
