/** Finds the programs of Ceph's object gateway, the S3 server that the storage is tested on, and installs Debian's where they aren't. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './browser.mjs';
import { giveUp } from './setup.mjs';

const PACKAGES = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'];
const NONE = `The storage can't be tested on S3 without Ceph's \`radosgw\`, and it could not be installed: on Debian an administrator must run \`apt-get install -y ${PACKAGES.join(' ')}\`.`;

const PROGRAMS = {
  radosgw: 'radosgw',
  admin: 'radosgw-admin',
  mon: 'ceph-mon',
  osd: 'ceph-osd',
  ceph: 'ceph',
  monmaptool: 'monmaptool',
};

/** Where each is, or undefined where one is missing. */
function findRadosgw() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'];
  const found = Object.entries(PROGRAMS).map(([name, file]) => [
    name,
    folders.map((folder) => join(folder, file)).find((path) => existsSync(path)),
  ]);
  return found.every(([, path]) => path !== undefined)
    ? /** @type {Record<keyof typeof PROGRAMS, string>} */ (Object.fromEntries(found))
    : undefined;
}

/** The same where they must be there: throws otherwise. */
export function radosgwPrograms() {
  const found = findRadosgw();
  if (found === undefined) throw new Error(NONE);
  return found;
}

/** Makes sure that they are there when this returns. Ends the process with a sentence when they can't be had. */
export function ensureRadosgw() {
  if (findRadosgw()) return;
  if (process.platform === 'linux') installPackages(...PACKAGES);
  if (!findRadosgw()) giveUp(NONE);
}
