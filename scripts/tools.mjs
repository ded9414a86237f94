/**
 * The programs of the tests, except Chromium (browser.mjs): finds them, and installs Debian's packages if one is
 * missing.
 */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './browser.mjs';
import { fail } from './setup.mjs';

/** Debian's packages, and a function that finds each program. */
const TOOLS = {
  ffmpeg: {
    packages: ['ffmpeg'],
    programs: { ffmpeg: findFfmpeg },
  },
  // WebKitGTK and Firefox ESR. WebKit plays H.264 and AAC with gst-libav.
  engines: {
    packages: ['webkit2gtk-driver', 'xvfb', 'gstreamer1.0-libav', 'firefox-esr'],
    programs: {
      webDriver: () => inPath('WebKitWebDriver'),
      miniBrowser: () => inLibrary(/^webkit2gtk-4\.\d$/, 'MiniBrowser'),
      xvfb: () => inPath('Xvfb'),
      firefox: () => inPath('firefox-esr') ?? inPath('firefox'),
      codecs: () => inLibrary(/^gstreamer-1\.0$/, 'libgstlibav.so'),
    },
  },
  // Let's Encrypt's test server, with its name server.
  pebble: {
    packages: ['pebble', 'openssl'],
    programs: named('pebble', 'pebble-challtestsrv', 'openssl'),
  },
  // Ceph's object gateway, an S3 server.
  radosgw: {
    packages: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
    programs: named('radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'monmaptool'),
  },
  proxies: { packages: ['nginx', 'caddy'], programs: named('nginx', 'caddy') },
  // A PostgreSQL with automatic failover, and a pooler.
  databases: {
    packages: ['etcd-server', 'patroni', 'haproxy', 'pgbouncer', 'postgresql'],
    programs: { ...named('etcd', 'patroni', 'haproxy', 'pgbouncer'), postgresql: findPostgres },
  },
  // Tools for testing `ops/`.
  operation: {
    packages: ['prometheus', 'systemd', 'mmdebstrap', 'buildah', 'crun', 'docker-compose'],
    programs: named(
      'prometheus',
      'promtool',
      'systemd-analyze',
      'mmdebstrap',
      'buildah',
      'crun',
      'docker-compose',
    ),
  },
};

/**
 * Returns the path of a program (of PostgreSQL: the folder of its programs).
 * @param {keyof typeof TOOLS} tool
 * @param {string} program
 * @throws {Error} with a message for an administrator if it is missing
 */
export function toolPath(tool, program = tool) {
  const path = TOOLS[tool].programs[program]?.();
  if (path === undefined) throw new Error(sentence(tool, [program]));
  return path;
}

/**
 * Installs missing tools as far as possible.
 * @param {(keyof typeof TOOLS)[]} tools
 * @returns {boolean} true if all are installed now
 */
function installTools(...tools) {
  const packages = tools.filter((tool) => missing(tool).length > 0).flatMap((tool) => TOOLS[tool].packages);
  if (packages.length > 0 && process.platform === 'linux') installPackages(...packages);
  return tools.every((tool) => missing(tool).length === 0);
}

/**
 * Installs missing tools; ends the process with a message if one is still missing.
 * @param {(keyof typeof TOOLS)[]} tools
 */
export function ensureTools(...tools) {
  if (installTools(...tools)) return;
  const missingTools = tools.filter((tool) => missing(tool).length > 0);
  fail(missingTools.map((tool) => sentence(tool, missing(tool))).join('\n'));
}

const missing = (tool) =>
  Object.entries(TOOLS[tool].programs).flatMap(([name, find]) => (find() === undefined ? [name] : []));

const sentence = (tool, names) =>
  `The tests need ${names.join(', ')}, which could not be installed: an administrator must run \`apt-get install -y ${TOOLS[tool].packages.join(' ')}\` on Debian.`;

function named(...names) {
  return Object.fromEntries(names.map((name) => [name, () => inPath(name)]));
}

function inPath(name) {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** Finds FFmpeg: `FFMPEG_PATH` first; `ffprobe` must be in the same folder. */
function findFfmpeg() {
  return [process.env.FFMPEG_PATH, inPath('ffmpeg')].find(
    (path) => path && existsSync(path) && existsSync(path.replace(/ffmpeg$/, 'ffprobe')),
  );
}

/**
 * Finds the newest PostgreSQL that can copy a server and rewind one, which the tests' own package cannot. Debian has
 * one folder per version.
 */
function findPostgres() {
  return foldersIn('/usr/lib/postgresql')
    .map((folder) => join(folder, 'bin'))
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .find((folder) => ['pg_basebackup', 'pg_rewind'].every((name) => existsSync(join(folder, name))));
}

/** Finds a file in a library's folder, whose path contains the platform: `/usr/lib/x86_64-linux-gnu/NAME/FILE`. */
function inLibrary(folderName, file) {
  const roots = ['/usr/lib', '/usr/libexec', '/usr/lib64'];
  return roots
    .flatMap((path) => [path, ...foldersIn(path)])
    .flatMap(foldersIn)
    .filter((path) => folderName.test(path.split('/').at(-1)))
    .map((folder) => join(folder, file))
    .find((path) => existsSync(path));
}

function foldersIn(path) {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(path, entry.name));
}
