/** Finds the programs that what lies in `ops/` is tried with, and installs Debian's where they aren't. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './browser.mjs';
import { giveUp } from './setup.mjs';

/** By the package that brings them. */
const PROGRAMS = {
  prometheus: ['prometheus', 'promtool'],
  systemd: ['systemd-analyze'],
  mmdebstrap: ['mmdebstrap'],
  buildah: ['buildah'],
  crun: ['crun'],
  'docker-compose': ['docker-compose'],
};
const PACKAGES = Object.keys(PROGRAMS);

const none = (names) =>
  `What lies in ops/ can’t be tried without ${names.join(', ')}, and they could not be installed: an administrator must run \`apt-get install -y ${PACKAGES.join(' ')}\` on Debian 12 or later.`;

/** Where a program is, or undefined. */
export const pathOf = (name) =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

const missing = () =>
  Object.values(PROGRAMS)
    .flat()
    .filter((name) => pathOf(name) === undefined);

/** The path of one of them; throws where it isn't there. */
export function operationProgram(name) {
  const path = pathOf(name);
  if (path === undefined) throw new Error(none([name]));
  return path;
}

/** Makes sure that they are there when this returns. Ends the process with a sentence when they can't be had. */
export function ensureOperation() {
  if (missing().length === 0) return;
  if (process.platform === 'linux') installPackages(...PACKAGES);
  const names = missing();
  if (names.length > 0) giveUp(none(names));
}
