/**
 * Process that starts a tunnel and keeps it running, so that a restart or update of the product keeps the address.
 * It ends with the tunnel, when its file is removed, or 15 minutes after the product stopped answering.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { SharingTrouble } from '../../../contract/admin/site-address.ts';
import {
  findProgram,
  processAt,
  readSharingFile,
  removeSharingFile,
  type SharingFile,
  writeSharingFile,
} from './programs.ts';
import { cloudflare, type Report, type Tunnel, TunnelFailure, tailscale } from './tunnels.ts';

/** Interval of checking the tunnel file and the product, in ms. */
const POLL_MS = 500;
/** Maximum downtime of the product, in ms. Only tests set `KEEPER_GONE_MS`. */
const MAX_DOWNTIME_MS = Number(process.env.KEEPER_GONE_MS ?? 15 * 60_000);
/** Consecutive failures before the tunnel is given up. */
const MAX_FAILURES = 3;
/** Delay before the tunnel is started again, in ms. */
const RETRY_MS = 2_000;
/** Troubles that another attempt can't fix. */
const FINAL_TROUBLES: ReadonlySet<SharingTrouble | null> = new Set([
  'program',
  'ports',
  'not_https',
  'no_address',
]);
/** A tunnel that ran for this long has not failed to start, in ms. */
const STABLE_MS = 60_000;

/** Windows may sleep again once the program that called this ends: ES_CONTINUOUS | ES_SYSTEM_REQUIRED. */
const WINDOWS = `$kernel = Add-Type -PassThru -Namespace Awake -Name Kernel -MemberDefinition '[DllImport("kernel32.dll")] public static extern uint SetThreadExecutionState(uint flags);'
[void]$kernel::SetThreadExecutionState(2147483649)
Wait-Process -Id`;

/** Command per platform that prevents sleep while this process runs. */
const AWAKE_COMMANDS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['caffeinate', '-i', '-w', String(process.pid)],
  linux: ['systemd-inhibit', '--what=sleep:idle', '--who=sorpresa', '--why=La sorpresa è in rete', 'cat'],
  win32: ['powershell', '-NoProfile', '-Command', `${WINDOWS} ${process.pid}`],
};

const [folder = '', name = '', portText = ''] = process.argv.slice(2);
const port = Number(portText);
const provider = name === 'tailscale' ? tailscale : cloudflare;
let tunnel: Tunnel | null = null;
let isStopping = false;
const allowSleep = keepAwake();
const ownProcess = (await processAt(process.pid)) ?? { pid: process.pid, started: 'unknown' };
const file: SharingFile = {
  tunnel: provider.name,
  port,
  keeper: ownProcess,
  child: null,
  address: null,
  enable: null,
  trouble: null,
};
writeSharingFile(folder, file);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(null));
void watchProduct();
await runUntilStopped();

/** Prevents sleep of this computer until this process ends. Returns a function that ends it earlier. Does nothing if unsupported. */
function keepAwake(): () => void {
  const [program = '', ...args] = AWAKE_COMMANDS[process.platform] ?? [];
  const path = findProgram(program);
  if (path === null) return () => {};
  // `cat` ends with its input, which ends with this process.
  const child = spawn(path, args, { stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  return () => void child.kill();
}

async function runUntilStopped(): Promise<void> {
  for (let failures = 0; ; ) {
    const began = Date.now();
    const trouble = await runTunnel();
    if (isStopping) return;
    failures = Date.now() - began > STABLE_MS ? 1 : failures + 1;
    if (failures >= MAX_FAILURES || FINAL_TROUBLES.has(trouble)) return stop(trouble ?? 'ended');
    await wait(RETRY_MS);
  }
}

/** Starts the tunnel and waits for its end. */
async function runTunnel(): Promise<SharingTrouble | null> {
  const program = await provider.find(folder);
  if (program === null) return 'program';
  try {
    tunnel = await provider.start(program, { port, folder, say: onReport });
    if (isStopping) await tunnel.stop();
    return await tunnel.ended;
  } catch (error) {
    return error instanceof TunnelFailure ? error.trouble : 'program';
  }
}

function onReport({ address, enable, child }: Report): void {
  if (enable !== undefined) file.enable = enable;
  if (address !== undefined) Object.assign(file, { address, enable: null });
  updateFile();
  if (child === undefined) return;
  // Lets the next start end the program if this process is killed.
  void processAt(child).then((known) => {
    file.child = known;
    updateFile();
  });
}

/** Writes the file only if it exists and belongs to this process: removing it ends this process. */
function updateFile(): void {
  if (!isStopping && ownsFile()) writeSharingFile(folder, file);
}

function ownsFile(): boolean {
  const { keeper } = readSharingFile(folder) ?? {};
  return keeper?.pid === ownProcess.pid && keeper.started === ownProcess.started;
}

/** @param trouble left in the file for the product; null removes the file */
async function stop(trouble: SharingTrouble | null): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  allowSleep();
  await tunnel?.stop();
  if (ownsFile()) {
    if (trouble === null) removeSharingFile(folder);
    else writeSharingFile(folder, { ...file, child: null, trouble });
  }
  process.exit(0);
}

async function watchProduct(): Promise<void> {
  let seen = Date.now();
  for (;;) {
    if (await isProductUp()) seen = Date.now();
    if (!ownsFile() || Date.now() - seen > MAX_DOWNTIME_MS) await stop(null);
    await wait(POLL_MS);
  }
}

function isProductUp(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
