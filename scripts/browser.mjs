/**
 * Finds the Chromium the tests drive, and installs Debian's where there is none: with apt as root (or through sudo),
 * otherwise unpacked into a folder of ours, which needs no rights at all.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './setup.mjs';

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ownFolder = join(root, 'node_modules', '.cache', 'chromium');
const ownBrowser = join(ownFolder, 'chromium.sh');

/** The path of a Chromium, or undefined. `CHROMIUM_PATH` comes first. */
export function findBrowser() {
  return [process.env.CHROMIUM_PATH, ...systemBrowsers, ownBrowser].find((path) => path && existsSync(path));
}

/** The path of a Chromium that is there when this returns. Ends the process with a sentence when none can be had. */
export function ensureBrowser() {
  const found = findBrowser();
  if (found) return found;
  console.log('Installing Chromium for the browser tests…');
  if (process.getuid?.() === 0) installWithApt([]);
  else if (spawnSync('sudo', ['-n', 'true']).status === 0) installWithApt(['sudo', '-n']);
  else unpackWithoutRights();
  const installed = findBrowser();
  if (!installed) throw new Error('No Chromium could be installed. Install one and set CHROMIUM_PATH to it.');
  return installed;
}

function installWithApt(prefix) {
  const apt = (...args) => {
    const [command, ...rest] = [...prefix, 'apt-get', '-qq', ...args];
    run(command, rest, { ...process.env, DEBIAN_FRONTEND: 'noninteractive' });
  };
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'chromium');
}

/** apt as an ordinary user: its own lists and cache, the packages unpacked and run with their libraries beside them. */
function unpackWithoutRights() {
  const folders = ['lists/partial', 'cache/archives/partial', 'root'].map((name) => join(ownFolder, name));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const own = [
    '-qq',
    '-o',
    `Dir::State::Lists=${ownFolder}/lists`,
    '-o',
    `Dir::Cache=${ownFolder}/cache`,
    '-o',
    'Debug::NoLocking=1',
  ];
  run('apt-get', [...own, 'update']);
  run('apt-get', [...own, 'install', '-y', '--download-only', '--no-install-recommends', 'chromium']);
  const archives = join(ownFolder, 'cache', 'archives');
  const target = join(ownFolder, 'root');
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb')))
    run('dpkg-deb', ['-x', join(archives, name), target]);
  const binary = join(target, 'usr/lib/chromium/chromium');
  if (!existsSync(binary))
    throw new Error('Debian’s Chromium could not be unpacked. Install one and set CHROMIUM_PATH to it.');
  const libraries = spawnSync('find', [target, '-name', '*.so*', '-printf', '%h\n'], {
    encoding: 'utf8',
  }).stdout;
  const path = [...new Set(libraries.trim().split('\n'))].join(':');
  writeFileSync(ownBrowser, `#!/bin/sh\nexport LD_LIBRARY_PATH='${path}'\nexec '${binary}' "$@"\n`);
  chmodSync(ownBrowser, 0o755);
}
