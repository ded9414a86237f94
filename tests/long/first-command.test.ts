import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../support/server.ts';

/**
 * The first commands in a new clone, in a folder that only its owner may enter and whose name has a space and an accent. Installing
 * needs npm, so this clone is installed once and then used by one user after the other.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const exec = promisify(execFile);
/** The user `nobody`. */
const SOMEBODY_ELSE = { uid: 65_534, gid: 65_534 };

let parent: string;
let clone: string;
let home: string;
// Only root can run commands as another user.
beforeAll(() => expect(process.getuid?.(), 'Run this test as root.').toBe(0));
beforeAll(async () => {
  parent = await newFolder();
  clone = join(parent, 'là giù', 'sorpresa');
  home = join(parent, 'casa');
  for (const folder of [join(parent, 'là giù'), home]) await mkdir(folder, { mode: 0o700 });
  await exec('git', ['clone', '--quiet', '-c', 'core.autocrlf=true', ROOT, clone]);
});
afterAll(() => rm(parent, { recursive: true, force: true }));

type UserIds = { uid: number; gid: number } | null;
type Running = { output: string; code: number | null };

/**
 * Runs an npm command without the settings of the test's own npm. Interrupts it once its output matches `until`, otherwise waits for its
 * end.
 */
async function npm(args: string[], { until = /$^/, as = null as UserIds, env = {} } = {}): Promise<Running> {
  // An npm script's PATH starts with `node_modules` folders; a new user has the machine's Node.
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const child = spawn('npm', args, {
    cwd: clone,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: path.join(':'), HOME: as ? home : process.env.HOME, HOST: '127.0.0.1', PORT: '0', ...env },
    ...as,
  });
  const running: Running = { output: '', code: null };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      running.output += text;
      // npm passes no signal to its children, so the whole process group gets it, as with Ctrl+C.
      if (until.test(running.output)) process.kill(-(child.pid ?? 0), 'SIGINT');
    });
  [running.code] = (await once(child, 'close')) as [number | null];
  return running;
}

const READY = { demo: /^Amministratore: \S+ \/ \S+$/m, start: /^La sorpresa si prepara qui: \S+$/m };

/** Expects that both commands become ready for use. */
async function expectReady(as: UserIds, env: Record<string, string> = {}): Promise<void> {
  expect((await npm(['run', 'demo'], { until: READY.demo, as, env })).output).toMatch(READY.demo);
  const real = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, `${value}-vera`]));
  expect((await npm(['start'], { until: READY.start, as, env: real })).output).toMatch(READY.start);
}

/** Returns the output without npm's own messages and those about the machine's settings. */
const ownOutput = ({ output }: Running) =>
  output.split('\n').filter((line) => !/^(> |npm (warn|notice)|$)/.test(line));

test('has the same bytes in a checkout by Git for Windows', async () => {
  const { stdout } = await exec('git', ['ls-files', '--eol'], { cwd: clone });
  expect(stdout).toContain('w/lf');
  expect(stdout).not.toMatch(/w\/(crlf|mixed)/);
});

test('installs everything by npm ci with scripts off', async () => {
  const { code, output } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  expect([code, output]).toEqual([0, expect.stringContaining('added')]);
});

test('starts the demo, the product and the checks', async () => {
  await expectReady(null);
  const checks = await npm(['test'], { until: /^· types$/m });
  expect(checks.output).toMatch(/^· types$/m);
});

describe('user who may only read an installation', () => {
  beforeAll(async () => {
    await chmod(parent, 0o755);
    await chmod(join(parent, 'là giù'), 0o755);
    await exec('chown', ['65534:65534', home]);
  });

  test('can run the demo and the product with a separate data folder', async () => {
    await expectReady(SOMEBODY_ELSE, { DATA_DIR: join(home, 'dati') });
  });

  test('gets one sentence if a folder can’t be written', async () => {
    for (const [command, sentence] of [
      [['run', 'demo'], /data-demo can't be used \(EACCES.*DATA_DIR/],
      [['test'], /node_modules can't be written by this user: run the command as/],
    ] as const) {
      const ended = await npm([...command], { as: SOMEBODY_ELSE });
      expect(ownOutput(ended)).toEqual([expect.stringMatching(sentence)]);
      expect(ended.code).toBe(1);
    }
    const { code, output } = await npm(['run', 'doctor'], { as: SOMEBODY_ELSE });
    expect(output).toMatch(/Nella cartella dei dati .* questo utente non può scrivere/);
    expect(code).toBe(1);
  });

  test('gets one sentence if something must be installed or built first', async () => {
    await rm(join(clone, 'dist', 'web.hash'));
    const build = await npm(['run', 'demo'], { as: SOMEBODY_ELSE });
    expect(ownOutput(build)).toEqual([expect.stringMatching(/dist can't be written by this user/)]);
    await rm(join(clone, 'node_modules', '.package-lock.json'));
    const install = await npm(['start'], { as: SOMEBODY_ELSE });
    expect(ownOutput(install)).toEqual([expect.stringMatching(/node_modules can't be written by this user/)]);
    expect([build.code, install.code]).toEqual([1, 1]);
  });
});

test('runs everything by npm run demo for an ordinary user who owns the folder', async () => {
  await rm(join(clone, 'node_modules'), { recursive: true, force: true });
  await exec('chown', ['-R', '65534:65534', parent]);
  for (const folder of [parent, join(parent, 'là giù')]) await chmod(folder, 0o700);
  await expectReady(SOMEBODY_ELSE, { npm_config_ignore_scripts: 'true', DATA_DIR: join(home, 'altri') });
  expect(await readdir(join(clone, 'node_modules'))).not.toContain('knip');
});
