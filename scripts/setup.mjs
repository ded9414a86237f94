/**
 * Prerequisites of every command: the packages, the built web, a browser for the tests. Plain JavaScript for any Node ≥
 * 20 on the machine, with Node's own modules only, because nothing is installed yet.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { otherManager, pathWithout, pinnedNode, startOf } from './platform.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The oldest Node that runs these scripts, and the oldest that runs the product if the pinned one cannot. */
const MIN_NODE = { scripts: 20, product: 24 };
const own = Number.parseInt(process.versions.node, 10);
if (own < MIN_NODE.scripts)
  fail(
    `Node ${process.versions.node} is too old: install Node ${MIN_NODE.product} or later (https://nodejs.org).`,
  );

/** True if the running Node is the machine's own, not one of the installed packages. */
const isMachines = !realpathSync(process.execPath).startsWith(realpathSync(root) + sep);
const pinned = pinnedNode(process.platform, process.arch);
let found;

const SHARED_SOURCES = [
  'src/domain',
  'src/contract',
  'src/texts',
  'src/sealed',
  'vite.config.ts',
  'package-lock.json',
];
/** What is built into `dist/NAME`: its sources, and Vite's modes. */
const BUILDS = {
  web: { sources: ['src/web', 'src/experience', ...SHARED_SOURCES], modes: ['production', 'plan-b'] },
  server: { sources: ['src/server', 'src/cli', 'demo', ...SHARED_SOURCES], modes: ['server'] },
};

/**
 * Returns the Node for the product: the one pinned in package.json. If it has no build or cannot start, the machine's
 * own if it is recent enough. Ends the process with a message if there is neither.
 */
export function node() {
  found ??= findNode();
  return found;
}

/** Returns true for the program that runs this script. */
export function isRunning(program) {
  return existsSync(program) && realpathSync(program) === realpathSync(process.execPath);
}

function findNode() {
  const path = pinned && join(root, pinned.binary);
  if (path && (isRunning(path) || spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0))
    return path;
  if (!machineCanRun()) {
    const machine = `${process.platform} ${process.arch}`;
    fail(
      `The Node that comes with the packages is missing here or can't start (${machine}): install Node ${MIN_NODE.product} or later (https://nodejs.org).`,
    );
  }
  forgetPinnedLink();
  return process.execPath;
}

/**
 * Removes the pinned Node from the packages' programs. npm looks for `node` there first, so one that cannot start would
 * hide the machine's own.
 */
function forgetPinnedLink() {
  for (const name of ['node', 'node.cmd', 'node.ps1'])
    try {
      rmSync(join(root, 'node_modules', '.bin', name), { force: true });
    } catch {
      // A read-only tree works for its owner.
    }
}

/** Ends the process with a message. */
export function fail(sentence, code = 1) {
  console.error(sentence);
  process.exit(code);
}

/** Runs a program to its end with inherited output; a failure ends this process with the program's exit code. */
export function run(command, args, env = process.env) {
  const failure = tryRun(command, args, env);
  if (failure) fail(failure.sentence, failure.code);
}

/** Runs a program to its end; returns a failure as a message and a code. */
export function tryRun(command, args, env = process.env) {
  const start = startOf(process.platform, command, args);
  const options = { cwd: root, stdio: 'inherit', env, shell: start.shell };
  return failureOf(command, args, spawnSync(start.file, start.args, options));
}

/** Returns the message and exit code for a failed program. */
function failureOf(command, args, { status, error, signal }) {
  const name = command.startsWith(root) ? relative(root, command) : command;
  if (error) return { sentence: `${name} could not be started (${error.code}). Is it installed?`, code: 1 };
  if (status === 0) return undefined;
  return { sentence: `${[name, ...args].join(' ')} failed (${signal ?? status}).`, code: status ?? 1 };
}

/**
 * Runs rows of programs in parallel, those of a row in sequence up to the first failure. The first row's output is
 * shown live, the others' after all have ended. A failure then ends this process with the first failed program's code.
 * @param {{ title?: string, command: string, args: string[], env: NodeJS.ProcessEnv }[][]} rows
 */
export async function runTogether(rows) {
  const ended = await Promise.all(rows.map((programs, place) => runRow(programs, place === 0)));
  for (const { output } of ended) process.stdout.write(output);
  const failed = ended.find(({ failure }) => failure !== undefined);
  if (failed) fail(failed.failure.sentence, failed.failure.code);
}

async function runRow(programs, isShown) {
  const outputs = [];
  for (const program of programs) {
    const title = program.title === undefined ? '' : `· ${program.title}\n`;
    if (isShown) process.stdout.write(title);
    else outputs.push(Buffer.from(title));
    const { failure, output } = await runInBackground(program, isShown);
    outputs.push(output);
    if (failure !== undefined) return { failure, output: Buffer.concat(outputs) };
  }
  return { failure: undefined, output: Buffer.concat(outputs) };
}

/**
 * Starts a program without blocking; settles when it has ended, with a message and a code if it failed.
 * @param isShown true shows its output live; else it is returned at the end
 */
export function runInBackground({ command, args, env }, isShown) {
  return begin({ command, args, env }, isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'], () => {});
}

/**
 * Starts a program with live output that is also returned, so that failures of a long run can be repeated at its end.
 */
export function runShown(program) {
  return begin(program, ['inherit', 'pipe', 'pipe'], (bytes, stream) => process[stream].write(bytes));
}

function begin({ command, args, env }, stdio, show) {
  const start = startOf(process.platform, command, args);
  const child = spawn(start.file, start.args, { cwd: root, stdio, env, shell: start.shell });
  const kept = [];
  for (const stream of ['stdout', 'stderr'])
    child[stream]?.on('data', (bytes) => {
      kept.push(bytes);
      show(bytes, stream);
    });
  return new Promise((resolve) => {
    const end = (how) => resolve({ failure: failureOf(command, args, how), output: Buffer.concat(kept) });
    child.on('error', (error) => end({ error }));
    child.on('close', (status, signal) => end({ status, signal }));
  });
}

/**
 * Installs the packages unless the installed ones match the lock file.
 * @param {'run' | 'all'} level packages for running and building, or also those for the checks
 */
export function ensureInstalled(level) {
  needPlainPath();
  const other = otherManager((path) => existsSync(join(root, path)));
  if (other) fail(other);
  const installed = isInstalled(level);
  // The checks also cache data there.
  if (!installed || level === 'all') requireWritable('node_modules');
  if (installed) return;
  console.log(level === 'all' ? 'Installing the packages…' : 'Installing what the product needs to run…');
  // Not `npm ci`: it fails if a mirror has no optional package of another platform. The lock file decides the versions
  // here as well.
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  // The second: npm would also install vitest and 32 others, 34 MB, because a package of the product could use it.
  const only = level === 'all' ? [] : ['--omit=dev', '--legacy-peer-deps'];
  run('npm', ['install', ...flags, ...only], withoutLocalBinaries());
  if (level === 'run') removeUnusedNode();
}

/** Removes the pinned Node if the machine's own can run the product, else its headers for native code: 211 or 67 MB. */
function removeUnusedNode() {
  if (pinned === undefined) return;
  const unused = machineCanRun() ? pinned.folder : join(pinned.folder, 'include');
  rmSync(join(root, unused), { recursive: true, force: true });
  if (machineCanRun()) forgetPinnedLink();
}

const machineCanRun = () => isMachines && own >= MIN_NODE.product;

/** Compares the lock file with npm's record of the installed packages. */
function isInstalled(level) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const isThere = (path) => installed[path]?.version === locked[path].version && existsSync(join(root, path));
  return (
    nodeIsSettled(installed, isThere, level) &&
    Object.entries(locked)
      .filter(
        ([path, entry]) =>
          path !== '' && !entry.optional && !entry.devOptional && (level === 'all' || !entry.dev),
      )
      .every(([path]) => isThere(path))
  );
}

/**
 * Returns true if Node is available. It is an optional package: if npm could not install it, and for running the
 * product, the machine's own is enough.
 */
function nodeIsSettled(installed, isThere, level) {
  if (pinned === undefined || isThere(pinned.folder)) return true;
  return machineCanRun() && (level === 'run' || installed[pinned.folder] === undefined);
}

/** Ends the process with a message if a folder of the project, or its content, is not writable. */
export function requireWritable(name) {
  const folder = join(root, name);
  const paths = existsSync(folder)
    ? [folder, ...readdirSync(folder).map((each) => join(folder, each))]
    : [root];
  const closed = paths.find((path) => !isWritable(path));
  if (closed)
    fail(
      `${closed} can't be written by this user: run the command as its owner, or in a copy of the project that is your own.`,
    );
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    // A broken link is no obstacle.
    return error.code === 'ENOENT';
  }
}

/** Ends the process if the path contains a character that Vite does not treat as part of a file name. */
function needPlainPath() {
  if (/[#?]/.test(root) && !isBuilt())
    fail(`The folder ${root} has a # or ? in its path, where the web can't be built: rename or move it.`);
}

/** Returns true if the built web or server matches the current sources. */
export function isBuilt(name = 'web') {
  const { mark, sources } = buildOf(name);
  if (!existsSync(mark)) return false;
  const [stamp, hash] = readFileSync(mark, 'utf8').split('\n');
  const now = stampOf(sources);
  if (now === stamp) return true;
  if (hash !== hashOf(sources)) return false;
  // Moved or copied, but equal: the next start doesn't read them.
  if (isWritable(mark)) writeFileSync(mark, `${now}\n${hash}`);
  return true;
}

/** Builds the web or the server unless the built one matches the current sources. */
export function ensureBuilt(name = 'web') {
  if (isBuilt(name)) return;
  const { mark, sources, modes } = buildOf(name);
  requireWritable('dist');
  console.log(`Building the ${name}…`);
  rmSync(mark, { force: true });
  rmSync(join(root, 'dist', name), { recursive: true, force: true });
  // Taken first: what changes during the build is built the next time.
  const state = `${stampOf(sources)}\n${hashOf(sources)}`;
  // Started by a test, it would otherwise build a web for tests, with paths of this machine.
  const env = { ...process.env, NODE_ENV: 'production' };
  for (const mode of modes)
    run(node(), ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--mode', mode], env);
  writeFileSync(mark, state);
}

function buildOf(name) {
  const { sources, modes } = BUILDS[name];
  return {
    mark: join(root, 'dist', `${name}.hash`),
    sources: sources.map((path) => join(root, path)),
    modes,
  };
}

/** Returns an environment for npm with the machine's Node, because npm may replace the Node that runs this script. */
export function withoutLocalBinaries() {
  const npmSettings = Object.keys(process.env).filter((name) =>
    /^npm_(node_execpath|execpath|lifecycle|package)/.test(name),
  );
  const PATH = pathWithout(process.platform, process.env.PATH ?? '', root);
  // Prevents node-av's install script from downloading a second FFmpeg.
  const env = { ...process.env, PATH, SKIP_FFMPEG: 'true' };
  for (const name of npmSettings) delete env[name];
  return env;
}

const hashOf = (paths) => digestOf(paths, (file) => readFileSync(file));

/** Identifies the files without reading them: every write sets a new ctime, which no copy can preset. */
const stampOf = (paths) =>
  digestOf(paths, (file) => {
    const { ctimeMs, size } = statSync(file);
    return `${ctimeMs} ${size}`;
  });

function digestOf(paths, describe) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesBelow)) {
    hash.update(relative(root, file)).update('\0').update(describe(file)).update('\0');
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
