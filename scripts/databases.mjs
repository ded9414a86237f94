/** Finds the programs of a PostgreSQL that fails over by itself and of a pooler, and installs Debian's where they aren't. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './browser.mjs';
import { pathOf } from './operation.mjs';
import { giveUp } from './setup.mjs';

/** By the package that brings them. */
const PROGRAMS = { 'etcd-server': 'etcd', patroni: 'patroni', haproxy: 'haproxy', pgbouncer: 'pgbouncer' };
const PACKAGES = [...Object.keys(PROGRAMS), 'postgresql'];
/** Where Debian keeps PostgreSQL's programs, in a folder for each version. */
const POSTGRESQL = '/usr/lib/postgresql';

const none = (names) =>
  `PostgreSQL with a standby and a pooler can’t be tried without ${names.join(', ')}, and they could not be installed: an administrator must run \`apt-get install -y ${PACKAGES.join(' ')}\` on Debian 12 or later.`;

/** The folder of the newest PostgreSQL that can copy a server and take one back, which the tests' own package can't. */
function findPostgres() {
  if (!existsSync(POSTGRESQL)) return undefined;
  return readdirSync(POSTGRESQL)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(POSTGRESQL, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'pg_basebackup')) && existsSync(join(folder, 'pg_rewind')));
}

const missing = () => [
  ...Object.values(PROGRAMS).filter((name) => pathOf(name) === undefined),
  ...(findPostgres() ? [] : ['PostgreSQL']),
];

/** The path of one of them; throws where it isn't there. */
export function databaseProgram(name) {
  const path = pathOf(name);
  if (path === undefined) throw new Error(none([name]));
  return path;
}

/** The folder of PostgreSQL's programs; throws where it isn't there. */
export function postgresPrograms() {
  const folder = findPostgres();
  if (folder === undefined) throw new Error(none(['PostgreSQL']));
  return folder;
}

/** Makes sure that they are there when this returns. Ends the process with a sentence when they can't be had. */
export function ensureDatabases() {
  if (missing().length === 0) return;
  if (process.platform === 'linux') installPackages(...PACKAGES);
  const names = missing();
  if (names.length > 0) giveUp(none(names));
}
