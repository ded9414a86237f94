import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { toolPath } from '../../scripts/tools.mjs';
import { freePort } from './free-port.ts';
import { killOnExit, killProgram } from './kill-on-exit.ts';

/** Location and credentials of a bucket: the product's own variables. */
export type BucketEnv = Record<'S3_ENDPOINT' | 'S3_REGION' | 'S3_BUCKET' | 'S3_KEY' | 'S3_SECRET', string>;

/** An S3 server: Ceph's object gateway, with a monitor and one in-memory store. */
export type Radosgw = {
  /** For `newBucket`; S3_BUCKET is still missing. */
  env: Omit<BucketEnv, 'S3_BUCKET'>;
  /** Kills the gateway like a crash; its data stays. */
  kill(): Promise<void>;
  /** Restarts the gateway. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** Timeout of a start in ms; it takes some 12 s on two idle cores. */
const TIMEOUT_MS = 180_000;

/** Creates a bucket on it. */
export async function newBucket(env: Radosgw['env']): Promise<BucketEnv> {
  const S3_BUCKET = `sorpresa-${randomBytes(6).toString('hex')}`;
  const client = s3Client(env);
  await client.send(new CreateBucketCommand({ Bucket: S3_BUCKET }));
  client.destroy();
  return { ...env, S3_BUCKET };
}

/** A client of the test itself, to inspect the product's files. */
export function s3Client({ S3_ENDPOINT, S3_REGION, S3_KEY, S3_SECRET }: Radosgw['env']): S3Client {
  return new S3Client({
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    credentials: { accessKeyId: S3_KEY, secretAccessKey: S3_SECRET },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

export async function startRadosgw(): Promise<Radosgw> {
  const program = (name: string) => toolPath('radosgw', name);
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-ceph-'));
  const [port, monitorPort] = [await freePort(), await freePort()];
  const S3_ENDPOINT = `http://127.0.0.1:${port}`;
  const config = join(folder, 'ceph.conf');
  const fsid = randomUUID();
  for (const name of ['mon', 'osd', 'run', 'log', 'rgw']) await mkdir(join(folder, name));
  await writeFile(config, configOf({ folder, fsid, port, monitorPort }));
  const running = new Map<string, ChildProcess>();
  const late = Date.now() + TIMEOUT_MS;

  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(program, ['-c', config, ...args], { timeout: TIMEOUT_MS });
  const begin = (name: string, program: string, ...args: string[]) => {
    const log = openSync(join(folder, 'log', `${name}.out`), 'a');
    const child = spawn(program, ['-c', config, ...args, '-f'], { stdio: ['ignore', log, log] });
    killOnExit(child);
    running.set(name, child);
  };
  const end = async (name: string) => {
    await killProgram(running.get(name));
    running.delete(name);
  };
  const until = async (name: string, isThere: () => Promise<boolean>) => {
    while (!(await isThere().catch(() => false))) {
      if (Date.now() > late || running.get(name)?.exitCode != null)
        throw new Error(
          `Ceph's ${name} did not start:\n${await readFile(join(folder, 'log', `${name}.out`), 'utf8')}`,
        );
      await delay(100);
    }
  };
  const startGateway = async () => {
    begin('rgw', program('radosgw'), '-n', 'client.rgw');
    await until('rgw', async () => (await fetch(S3_ENDPOINT)).status < 500);
  };
  const stop = async () => {
    for (const name of ['rgw', 'osd', 'mon']) await end(name);
    await rm(folder, { recursive: true, force: true });
  };

  try {
    const map = join(folder, 'monmap');
    const where = `[v2:127.0.0.1:${monitorPort}]`;
    await promisify(execFile)(program('monmaptool'), ['--create', '--fsid', fsid, '--addv', 'a', where, map]);
    await run(program('ceph-mon'), '--mkfs', '-i', 'a', '--monmap', map);
    begin('mon', program('ceph-mon'), '-i', 'a');
    const ask = (...args: string[]) => run(program('ceph'), '--connect-timeout', '5', ...args);
    await until('mon', async () => (await ask('mon', 'stat')).stdout !== '');
    const store = randomUUID();
    await ask('osd', 'new', store);
    await run(program('ceph-osd'), '--mkfs', '-i', '0', '--osd-uuid', store);
    begin('osd', program('ceph-osd'), '-i', '0');
    await until('osd', async () => (await ask('osd', 'stat')).stdout.includes('1 up'));
    await startGateway();
    const [S3_KEY, S3_SECRET] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')];
    const user = [
      '--uid=sorpresa',
      '--display-name=sorpresa',
      `--access-key=${S3_KEY}`,
      `--secret=${S3_SECRET}`,
    ];
    await run(program('radosgw-admin'), '-n', 'client.rgw', 'user', 'create', ...user);
    const env = { S3_ENDPOINT, S3_REGION: 'us-east-1', S3_KEY, S3_SECRET };
    return { env, kill: () => end('rgw'), start: startGateway, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Places = { folder: string; fsid: string; port: number; monitorPort: number };

/** One of each daemon, authentication only at the gateway, all on this machine and in one folder. */
const configOf = ({ folder, fsid, port, monitorPort }: Places) => `[global]
fsid = ${fsid}
mon host = [v2:127.0.0.1:${monitorPort}]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
# The gateway wants an encrypted line to the monitor otherwise, and that wants keys.
ms mon client mode = crc secure
run dir = ${folder}/run
admin socket = ${folder}/run/$name.$pid.asok
log file = ${folder}/log/$name.log
crash dir = ${folder}/log
pid file =
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
[mon.a]
mon data = ${folder}/mon
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
osd class update on start = false
[client.rgw]
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw enable usage log = false
`;
