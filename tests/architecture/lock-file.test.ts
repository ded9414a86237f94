import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pinnedNode } from '../../scripts/platform.mjs';

/** Whoever runs the product or works on it has one of these, and nothing may be missing from the lock file for any of them. */
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
  optionalDependencies?: Record<string, string>;
};

const root = join(import.meta.dirname, '../..');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>;
};
const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  optionalDependencies: Record<string, string>;
};

describe.each(PLATFORMS)('%s %s', (platform, arch) => {
  test('has the pinned Node', () => {
    const { folder = '' } = pinnedNode(platform, arch) ?? {};
    const name = folder.replace('node_modules/', '');
    expect(packages[folder]).toMatchObject({ version: optionalDependencies[name], integrity: SHA512 });
    expect([packages[folder]?.os, packages[folder]?.cpu].flat()).toEqual([platform, arch]);
  });

  // Windows' build of sharp carries its library with it; the others have it in a package of its own.
  const libvips = platform === 'win32' ? [] : [`@img/sharp-libvips-${platform}-${arch}`];
  const abi = { linux: '-gnu', darwin: '', win32: '-msvc' }[platform];
  const native = [
    `@img/sharp-${platform}-${arch}`,
    ...libvips,
    `@rolldown/binding-${platform}-${arch}${abi}`,
    `lightningcss-${platform}-${arch}${abi}`,
  ];
  test.each(native)('has %s', (name) => {
    expect(packages[`node_modules/${name}`]).toMatchObject({ integrity: SHA512 });
  });
});

test('every platform has the same Node', () => {
  const versions = PLATFORMS.map(
    ([platform, arch]) => packages[pinnedNode(platform, arch)?.folder ?? '']?.version,
  );
  expect(new Set(versions).size).toBe(1);
});

/** npm leaves out of the lock file whatever optional package it couldn't have when it wrote it; `npm ci` then refuses the lock file. */
const withBuilds = Object.entries(packages).filter(([, { optionalDependencies: builds }]) => builds);
test.each(withBuilds)(
  '%s has all its optional packages there, those of other platforms too',
  (path, entry) => {
    for (const name of Object.keys(entry.optionalDependencies ?? {}))
      expect(packages[seenFrom(path, name)], name).toMatchObject({ integrity: SHA512 });
  },
);

test('names no place to fetch the packages from: whoever installs asks the registry they have', () => {
  expect(Object.values(packages).filter((entry) => 'resolved' in entry)).toEqual([]);
});

/** Where a package finds another: in its own `node_modules`, or in the nearest one above. */
function seenFrom(path: string, name: string): string {
  const own = `${path === '' ? '' : `${path}/`}node_modules/${name}`;
  if (own in packages || path === '') return own;
  return seenFrom(path.slice(0, path.lastIndexOf('node_modules/')).replace(/\/$/, ''), name);
}

const SHA512 = expect.stringMatching(/^sha512-/) as string;
