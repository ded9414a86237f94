/** Runs the tests of a mutant in a copy of the project, for `mutants.mjs`. */
import { fork } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { memoryFolder } from './memory-folder.mjs';
import { node, root } from './setup.mjs';
import { toolPath } from './tools.mjs';

const COPIED = ['src', 'tests', 'scripts', 'demo', 'docs'];
const LINKED = ['node_modules', 'dist'];
/** Time in ms between the timeout of a run and its kill. */
const GRACE_MS = 30_000;
/** Uses PostgreSQL: starts it, and creates its template, before the first mutant. */
const FIRST = 'tests/contracts/repositories-visit.test.ts';

/** Creates a copy of the project that may be changed. */
function copyTree() {
  const folder = mkdtempSync(join(tmpdir(), 'sorpresa-mutants-'));
  const files = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const name of [...COPIED, ...files.map((entry) => entry.name)])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(root, name), join(folder, name), 'junction');
  return folder;
}

/** Runs Vitest in a separate process, because a mutant may never return. */
export class Runner {
  #child;
  /** Test files, by whether they pass without a mutant. */
  #passing = new Map();

  /** @param timeoutMs timeout of one mutant's tests */
  constructor(timeoutMs) {
    this.folder = copyTree();
    this.timeoutMs = timeoutMs;
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
    process.once('exit', () => {
      this.kill();
      rmSync(this.folder, { recursive: true, force: true });
    });
    this.env = { ...process.env, FFMPEG_PATH: toolPath('ffmpeg'), TMPDIR: memoryFolder() ?? tmpdir() };
  }

  /** @returns `{ outcome: 'killed' | 'timeout' | 'survived', test }` */
  async try(mutant, tests) {
    const path = join(this.folder, mutant.file);
    const original = readFileSync(path, 'utf8');
    const mutated = original.slice(0, mutant.start) + mutant.to + original.slice(mutant.end);
    let left = tests.filter((test) => this.#passing.get(test) !== false);
    for (;;) {
      await this.#start();
      writeFileSync(path, mutated);
      const failed = await this.#run(mutant.file, left);
      writeFileSync(path, original);
      if (failed === undefined) return { outcome: 'survived' };
      if (failed === 'timeout') return { outcome: 'timeout' };
      if (!this.#passing.has(failed)) {
        const again = await this.#run(mutant.file, [failed], this.timeoutMs * 5);
        this.#passing.set(failed, again === undefined);
        if (again !== undefined) console.log(`${failed} fails without a mutant: left out`);
      }
      if (this.#passing.get(failed)) return { outcome: 'killed', test: failed };
      left = left.filter((test) => test !== failed);
    }
  }

  async #start() {
    if (this.#child !== undefined) return;
    this.#child = fork(import.meta.filename, {
      cwd: this.folder,
      env: this.env,
      execPath: node(),
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await this.#run(FIRST, [FIRST], this.timeoutMs * 5);
  }

  /**
   * Resolves with the first test file that failed, `timeout` for a run that had to be killed, undefined if all passed
   * in time.
   */
  async #run(changed, tests, timeoutMs = this.timeoutMs) {
    if (tests.length === 0) return undefined;
    await this.#start();
    const child = this.#child;
    return new Promise((done) => {
      const end = (failed) => {
        clearTimeout(timer);
        child.removeAllListeners('exit').removeAllListeners('message');
        done(failed);
      };
      const die = () => {
        this.kill();
        end('timeout');
      };
      const timer = setTimeout(die, timeoutMs + GRACE_MS);
      child.once('exit', die);
      child.once('message', ({ failed }) => end(failed));
      child.send({ changed, tests, timeoutMs });
    });
  }

  /** Kills the child with everything its tests started. */
  kill() {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** In the child process: runs the test files of each message in their order, and replies with the first that failed. */
async function serveRuns() {
  const { BaseSequencer, createVitest } = await import('vitest/node');
  let order = [];
  class InOrder extends BaseSequencer {
    async sort(specs) {
      const rank = ({ moduleId }) => order.indexOf(relative(process.cwd(), moduleId));
      return specs.toSorted((a, b) => rank(a) - rank(b));
    }
  }
  const options = { watch: false, bail: 1, silent: true, reporters: [{}], sequence: { sequencer: InOrder } };
  const vitest = await createVitest('test', options);
  await vitest.standalone();
  const specs = await vitest.globTestSpecifications();
  process.on('message', async ({ changed, tests, timeoutMs }) => {
    order = tests;
    // A failure of an earlier run would count for `bail` and end this one.
    vitest.state.clearErrors();
    vitest.state.filesMap.clear();
    vitest.state.idMap.clear();
    vitest.invalidateFile(resolve(changed));
    // Tests that start the bundled program rebuild it.
    const sharedFolder = process.env.SORPRESA_ONCE_A_RUN;
    if (sharedFolder)
      for (const name of readdirSync(sharedFolder))
        rmSync(join(sharedFolder, name), { recursive: true, force: true });
    // A failure after the cancellation does not count.
    let isCancelled = false;
    const timer = setTimeout(() => {
      isCancelled = true;
      void vitest.cancelCurrentRun('keyboard-input');
    }, timeoutMs);
    const requestedSpecs = specs.filter(({ moduleId }) => tests.includes(relative(process.cwd(), moduleId)));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(requestedSpecs);
    clearTimeout(timer);
    const failed = testModules.find((module) => !module.ok());
    const name = failed
      ? relative(process.cwd(), failed.moduleId)
      : unhandledErrors.length > 0
        ? tests[0]
        : undefined;
    process.send({ failed: isCancelled ? undefined : name });
  });
  process.on('disconnect', () => process.exit());
}

if (process.send) await serveRuns();
