/** Finds Let's Encrypt's own test server, with its name server beside it, and installs Debian's where they aren't. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './browser.mjs';
import { giveUp } from './setup.mjs';

const NONE =
  'Certificates can’t be tested without `pebble`, Let’s Encrypt’s test server, and none could be installed: an administrator must run `apt-get install -y pebble openssl` on Debian, or put `pebble`, `pebble-challtestsrv` and `openssl` into the PATH.';

/** The paths of the programs, or undefined where one is missing. */
function findPebble() {
  const [pebble, names, openssl] = ['pebble', 'pebble-challtestsrv', 'openssl'].map((name) =>
    [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path)),
  );
  return pebble && names && openssl ? { pebble, names, openssl } : undefined;
}

/** The same where they must be there: throws otherwise. */
export function pebblePrograms() {
  const found = findPebble();
  if (found === undefined) throw new Error(NONE);
  return found;
}

/** Makes sure that they are there when this returns. Ends the process with a sentence when they can't be had. */
export function ensurePebble() {
  if (findPebble()) return;
  if (process.platform === 'linux') installPackages('pebble', 'openssl');
  if (!findPebble()) giveUp(NONE);
}
