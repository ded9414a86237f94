import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pinnedNode } from '../../scripts/platform.mjs';

/** Whoever runs the product has one of these, and nothing that it needs may be missing from the lock file for any of them. */
const PLATFORMS = [
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'x64'],
  ['darwin', 'arm64'],
  ['win32', 'x64'],
] as const;

type Entry = { version?: string; integrity?: string; os?: string | string[]; cpu?: string | string[] };

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

const SHA512 = expect.stringMatching(/^sha512-/) as string;
