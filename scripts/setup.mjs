/**
 * What must be there before anything can run: the packages, the built web, a browser for the tests.
 * Plain JavaScript for whatever Node ≥ 20 the machine has, and only Node's own modules: nothing is installed yet when it starts.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The Node the product runs on: pinned in package.json, whatever the machine has. */
export const node = join(root, 'node_modules', '.bin', 'node');

const buildMark = join(root, 'dist', 'web.hash');
const webSources = [
  'src/web',
  'src/domain',
  'src/contract',
  'src/texts',
  'src/experience',
  'vite.config.ts',
  'package-lock.json',
];

/** Runs a program to its end with our output; a failure ends this process with the program's own code. */
export function run(command, args, env = process.env) {
  const { status, error, signal } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (error) throw error;
  if (status !== 0) {
    console.error(`${[relative(root, command), ...args].join(' ')} failed (${signal ?? status}).`);
    process.exit(status ?? 1);
  }
}

/**
 * Installs the packages unless the installed ones are already those of the lock file.
 * @param {'run' | 'all'} level what running and building need, or everything the checks need too
 */
export function ensureInstalled(level) {
  if (isInstalled(level)) return;
  console.log(level === 'all' ? 'Installing the packages…' : 'Installing what the product needs to run…');
  // Not `npm ci`: it refuses where a mirror lacks an optional package of some other platform. The lock file decides the versions all the same.
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['install', ...flags, ...(level === 'all' ? [] : ['--omit=dev'])], withoutLocalBinaries());
}

/** Compares the lock file with the record npm keeps of what it installed. */
function isInstalled(level) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record) || !existsSync(node)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const wanted = Object.entries(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages);
  return wanted
    .filter(
      ([path, entry]) =>
        path !== '' && !entry.optional && !entry.devOptional && (level === 'all' || !entry.dev),
    )
    .every(([path, entry]) => installed[path]?.version === entry.version);
}

/** Builds the web unless the built one comes from these very sources. */
export function ensureBuilt() {
  const hash = hashOf(webSources);
  if (existsSync(buildMark) && readFileSync(buildMark, 'utf8') === hash) return;
  console.log('Building the web…');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  run(node, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']);
  mkdirSync(dirname(buildMark), { recursive: true });
  writeFileSync(buildMark, hash);
}

/** npm may replace the very Node that a script of ours runs on, so npm itself must run on the machine's. */
function withoutLocalBinaries() {
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.startsWith(root));
  const npmSettings = Object.keys(process.env).filter((name) =>
    /^npm_(node_execpath|execpath|lifecycle|package)/.test(name),
  );
  const env = { ...process.env, PATH: path.join(':') };
  for (const name of npmSettings) delete env[name];
  return env;
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap((path) => filesBelow(join(root, path)))) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)));
}
