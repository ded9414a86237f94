/**
 * Finds the Chromium the tests drive, and installs Debian's where there is none: with apt as root (or through sudo),
 * otherwise unpacked into a folder of ours, which needs no rights at all.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserPlaces, WHOLE_BROWSER } from './platform.mjs';
import { fail, root, tryRun } from './setup.mjs';

const ownFolder = join(root, 'node_modules', '.cache', 'chromium');
const ownBrowser = join(ownFolder, 'chromium.sh');
const NONE =
  'There is no browser for the tests, and none could be installed: an administrator must run `apt-get install -y chromium` (or install Chromium, Chrome or Edge another way), or CHROMIUM_PATH must name one.';

/** The path of a Chromium, or undefined. `CHROMIUM_PATH` comes first. */
export function findBrowser(places = [...browserPlaces(process.platform, process.env), ownBrowser]) {
  return [process.env.CHROMIUM_PATH, ...places].find((path) => path && existsSync(path));
}

/** The path of a Chromium that is there when this returns. Ends the process with a sentence when none can be had. */
export function ensureBrowser(places) {
  const found = findBrowser(places);
  // Where Debian's whole Chromium is, its light one can be had; beside another's it can't.
  if (found && (found === process.env.CHROMIUM_PATH || found !== WHOLE_BROWSER)) return found;
  const hasApt = process.platform === 'linux' && !spawnSync('apt-get', ['--version']).error;
  if (found && !hasApt) return found;
  if (!hasApt) fail(NONE);
  install(found);
  return findBrowser(places) ?? fail(NONE);
}

/** The light Chromium where Debian has it, else the whole one; without rights only where there is none at all. */
function install(found) {
  const mayInstall = installPackages('chromium-headless-shell');
  if (found || findBrowser()) return;
  if (!mayInstall || !installPackages('chromium')) unpackWithoutRights();
}

let hasLists = false;

/** Installs Debian's packages, as far as that goes. False where this user may not. */
export function installPackages(...names) {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0) return false;
  console.log(`Installing ${names.join(', ')} for the tests…`);
  const prefix = isRoot ? [] : ['sudo', '-n'];
  const apt = (...args) => {
    const [command, ...rest] = [...prefix, 'apt-get', '-qq', ...args];
    return tryRun(command, rest, { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }) === undefined;
  };
  // One process, one look at what there is.
  if (!hasLists) apt('update');
  hasLists = true;
  apt('install', '-y', '--no-install-recommends', ...names);
  return true;
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
  const download = [...own, 'install', '-y', '--download-only', '--no-install-recommends', 'chromium'];
  if (tryRun('apt-get', [...own, 'update']) || tryRun('apt-get', download)) return;
  const archives = join(ownFolder, 'cache', 'archives');
  const target = join(ownFolder, 'root');
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb')))
    if (tryRun('dpkg-deb', ['-x', join(archives, name), target])) return;
  const binary = join(target, 'usr/lib/chromium/chromium');
  if (!existsSync(binary)) return;
  const libraries = spawnSync('find', [target, '-name', '*.so*', '-printf', '%h\n'], {
    encoding: 'utf8',
  }).stdout;
  const path = [...new Set(libraries.trim().split('\n'))].join(':');
  writeFileSync(ownBrowser, `#!/bin/sh\nexport LD_LIBRARY_PATH='${path}'\nexec '${binary}' "$@"\n`);
  chmodSync(ownBrowser, 0o755);
}
