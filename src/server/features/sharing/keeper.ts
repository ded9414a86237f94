/**
 * Process that starts a tunnel and keeps it running, so that a restart or update of the product keeps the address.
 * It ends with the tunnel, when its file is removed, or 15 minutes after the product stopped answering.
 */
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { SharingTrouble } from '../../../contract/admin/sharing.ts';
import { keepAwake } from './awake.ts';
import { cloudflare } from './cloudflare.ts';
import { processAt } from './programs.ts';
import { readSharingFile, removeSharingFile, type SharingFile, writeSharingFile } from './sharing-file.ts';
import { tailscale } from './tailscale.ts';
import { type Report, type Tunnel, TunnelFailure } from './tunnel.ts';

/** Interval of checking the tunnel file and the product, in ms. */
const LOOK_MS = 500;
/** Maximum downtime of the product, in ms. Only tests set `KEEPER_GONE_MS`. */
const GONE_MS = Number(process.env.KEEPER_GONE_MS ?? 15 * 60_000);
/** Consecutive failures before the tunnel is given up. */
const TRIES = 3;
/** Delay before the tunnel is started again, in ms. */
const AGAIN_MS = 2_000;
/** Troubles that another attempt can't fix. */
const FINAL: ReadonlySet<SharingTrouble | null> = new Set(['program', 'ports', 'not_https', 'no_address']);
/** A tunnel that ran for this long has not failed to start, in ms. */
const LASTED_MS = 60_000;

const [folder = '', name = '', portText = ''] = process.argv.slice(2);
const port = Number(portText);
const provider = name === 'tailscale' ? tailscale : cloudflare;
let tunnel: Tunnel | null = null;
let isStopping = false;
const letSleep = keepAwake();
const me = (await processAt(process.pid)) ?? { pid: process.pid, started: 'unknown' };
const file: SharingFile = {
  tunnel: provider.name,
  port,
  keeper: me,
  child: null,
  address: null,
  enable: null,
  trouble: null,
};
writeSharingFile(folder, file);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(null));
void watchProduct();
await keep();

async function keep(): Promise<void> {
  for (let failures = 0; ; ) {
    const began = Date.now();
    const trouble = await once();
    if (isStopping) return;
    failures = Date.now() - began > LASTED_MS ? 1 : failures + 1;
    if (failures >= TRIES || FINAL.has(trouble)) return stop(trouble ?? 'ended');
    await wait(AGAIN_MS);
  }
}

/** Starts the tunnel and waits for its end. */
async function once(): Promise<SharingTrouble | null> {
  const program = await provider.find(folder);
  if (program === null) return 'program';
  try {
    tunnel = await provider.start(program, { port, folder, say });
    if (isStopping) await tunnel.stop();
    return await tunnel.ended;
  } catch (error) {
    return error instanceof TunnelFailure ? error.trouble : 'program';
  }
}

function say({ address, enable, child }: Report): void {
  if (enable !== undefined) file.enable = enable;
  if (address !== undefined) Object.assign(file, { address, enable: null });
  keepFile();
  if (child === undefined) return;
  // Lets the next start end the program if this process is killed.
  void processAt(child).then((known) => {
    file.child = known;
    keepFile();
  });
}

/** Writes the file only if it exists and belongs to this process: removing it ends this process. */
function keepFile(): void {
  if (!isStopping && isWanted()) writeSharingFile(folder, file);
}

function isWanted(): boolean {
  const { keeper } = readSharingFile(folder) ?? {};
  return keeper?.pid === me.pid && keeper.started === me.started;
}

/** @param trouble left in the file for the product; null removes the file */
async function stop(trouble: SharingTrouble | null): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  letSleep();
  await tunnel?.stop();
  if (isWanted()) {
    if (trouble === null) removeSharingFile(folder);
    else writeSharingFile(folder, { ...file, child: null, trouble });
  }
  process.exit(0);
}

async function watchProduct(): Promise<void> {
  let seen = Date.now();
  for (;;) {
    if (await answers()) seen = Date.now();
    if (!isWanted() || Date.now() - seen > GONE_MS) await stop(null);
    await wait(LOOK_MS);
  }
}

function answers(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
