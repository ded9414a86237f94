/** Finds the two proxies that the nodes are tried behind, and installs Debian's where they aren't. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './browser.mjs';
import { giveUp } from './setup.mjs';

const NONE =
  'Nodes behind a proxy can’t be tested without nginx and Caddy, and they could not be installed: an administrator must run `apt-get install -y nginx caddy` on Debian, or put `nginx` and `caddy` into the PATH.';

/** The paths of the programs, or undefined where one is missing. */
function findProxies() {
  const [nginx, caddy] = ['nginx', 'caddy'].map((name) =>
    [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path)),
  );
  return nginx && caddy ? { nginx, caddy } : undefined;
}

/** The same where they must be there: throws otherwise. */
export function proxyPrograms() {
  const found = findProxies();
  if (found === undefined) throw new Error(NONE);
  return found;
}

/** Makes sure that they are there when this returns. Ends the process with a sentence when they can't be had. */
export function ensureProxies() {
  if (findProxies()) return;
  if (process.platform === 'linux') installPackages('nginx', 'caddy');
  if (!findProxies()) giveUp(NONE);
}
