/**
 * Finds the Chromium for the tests, and installs Debian's if there is none: with apt as root (or through sudo),
 * otherwise unpacked into a cache folder, which needs no rights.
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

/** Returns the path of a Chromium, or undefined. `CHROMIUM_PATH` comes first. */
export function findBrowser(places = [...browserPlaces(process.platform, process.env), ownBrowser]) {
  return [process.env.CHROMIUM_PATH, ...places].find((path) => path && existsSync(path));
}

/** Returns the path of an existing Chromium, installing it if needed. Ends the process with a message if that fails. */
export function ensureBrowser(places) {
  const found = findBrowser(places);
  // With Debian's complete Chromium its light one is available; with another browser it is not.
  if (found && (found === process.env.CHROMIUM_PATH || found !== WHOLE_BROWSER)) return found;
  const hasApt = process.platform === 'linux' && !spawnSync('apt-get', ['--version']).error;
  if (found && !hasApt) return found;
  if (!hasApt) fail(NONE);
  install(found);
  return findBrowser(places) ?? fail(NONE);
}

/**
 * Installs the light Chromium if Debian has it, else the complete one. Without rights, only if there is none at all.
 */
function install(found) {
  const mayInstall = installPackages('chromium-headless-shell');
  if (found || findBrowser()) return;
  if (!mayInstall || !installPackages('chromium')) unpackWithoutRights();
}

let hasLists = false;

/** Installs Debian's packages as far as possible. Returns false if this user may not. */
export function installPackages(...names) {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0) return false;
  console.log(`Installing ${names.join(', ')} for the tests…`);
  const prefix = isRoot ? [] : ['sudo', '-n'];
  const apt = (...args) => {
    const [command, ...rest] = [...prefix, 'apt-get', '-qq', ...args];
    return tryRun(command, rest, { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }) === undefined;
  };
  // One update of the package lists per process.
  if (!hasLists) apt('update');
  hasLists = true;
  apt('install', '-y', '--no-install-recommends', ...names);
  return true;
}

/**
 * Uses apt as an ordinary user: separate lists and cache; packages are unpacked and run with their libraries next to
 * them.
 */
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
