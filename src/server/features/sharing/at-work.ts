import { spawn } from 'node:child_process';
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SharingState, SharingTrouble, TunnelName } from '../../../contract/admin/site-address.ts';
import { resolveModule } from '../../place.ts';
import { startInterval } from '../../work/every.ts';
import { isProof, newNonce, probeUrl, proofAt } from '../address/ask.ts';
import { canFetch, cloudflare, fetchCloudflared } from './cloudflare.ts';
import { endProcess, isAlive } from './programs.ts';
import type { OpenTunnelListener, Sharing, SharingDeps, TunnelListener } from './sharing.ts';
import { readSharingFile, removeSharingFile, type SharingFile, sharingFolder } from './sharing-file.ts';
import { tailscale } from './tailscale.ts';
import { type Provider, TunnelFailure } from './tunnel.ts';

const TUNNEL_PROCESS = resolveModule('src/server/features/sharing/keeper');
/** Interval of reading the tunnel file, in ms. */
const POLL_MS = 1_000;
/** Interval of checking that the tunnel process is alive, in ms. */
const ALIVE_MS = 10_000;
/** Timeout of one request to the public address, in ms. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Time without a reply before 'unreachable' is reported, in ms. */
const UNREACHED_MS = 2 * 60_000;
/** Maximum downtime of the product in ms; after a longer one the next start ends the sharing. */
const MAX_DOWNTIME_MS = 15 * 60_000;
/** Timeout for the tunnel process to end, in ms. */
const END_TIMEOUT_MS = 10_000;

/** In order of recommendation. */
const PROVIDERS: readonly Provider[] = [tailscale, cloudflare];

export type AtWork = Omit<Sharing, 'resume'>;

type Opening = {
  openListener: OpenTunnelListener;
  /** Called when the address reaches the site. `newAddress` is set only if another address was published before. */
  onChange: (newAddress: string | null) => Promise<void>;
};

/** Monitors the tunnel process, resumes a running one, and serves the clients of its tunnel. */
export async function openAtWork(deps: SharingDeps, opening: Opening): Promise<AtWork> {
  const watch = new Watch(deps, opening);
  await watch.resumeRunning();
  return watch;
}

class Watch implements AtWork {
  readonly #log;
  readonly #secret;
  readonly #folder: string;
  readonly #isAvailable: boolean;
  readonly #opening: Opening;
  readonly #looks;
  #door: TunnelListener | null = null;
  #served: string | null = null;
  #isReached = false;
  /** Start of the current wait and time of the last process check, in ms since the epoch. */
  #since = 0;
  #checkedAt = 0;
  #trouble: SharingTrouble | null = null;
  #fetching: AbortController | null = null;
  #changing: Promise<unknown> = Promise.resolve();

  constructor({ env, log, secret }: SharingDeps, opening: Opening) {
    this.#log = log;
    this.#secret = secret;
    this.#folder = sharingFolder(env.DATA_DIR);
    this.#isAvailable = env.PUBLIC_URL === undefined && env.HTTPS_DOMAIN === undefined;
    this.#opening = opening;
    this.#looks = startInterval(
      POLL_MS,
      () => this.#inTurn(() => this.#look()),
      (error) => log.warn({ err: error }, 'the sharing could not be looked after'),
    );
  }

  address() {
    return this.#served;
  }

  lostAddress() {
    const before = this.#given();
    return this.#isReached && before !== this.#served ? before : null;
  }

  async read(): Promise<SharingState> {
    const file = this.#file();
    // The file names the provider of a running tunnel.
    const provider = PROVIDERS.find(({ name }) => name === file?.tunnel) ?? (await this.#providerNow());
    const hasProgram = file !== null || (await provider.find(this.#folder)) !== null;
    return {
      available: this.#isAvailable,
      tunnel: provider.name,
      needs: hasProgram ? 'nothing' : canFetch() ? 'download' : 'install',
      state: this.#state(),
      address: this.#served,
      keeps_address: provider.keepsAddress,
      lost_address: this.lostAddress(),
      enable: file?.enable ?? null,
      trouble: this.#trouble,
    };
  }

  async start() {
    await this.#inTurn(() => this.#start());
    return this.read();
  }

  async stop() {
    this.#fetching?.abort();
    this.#fetching = null;
    await this.#inTurn(() => this.#end(this.#file(), null));
    rmSync(this.#givenPath(), { force: true });
    return this.read();
  }

  async given() {
    if (this.#served !== null) writeFileSync(this.#givenPath(), this.#served);
    return this.read();
  }

  async close() {
    this.#fetching?.abort();
    await this.#looks.stop();
    await this.#door?.close();
  }

  /** Resumes a tunnel that an earlier start left running, unless the product was down for too long. */
  resumeRunning(): Promise<void> {
    return this.#inTurn(async () => {
      const file = this.#file();
      if (file === null) return;
      if (!this.#isAvailable) return this.#end(file, null);
      const away = Date.now() - statSync(join(this.#folder, 'tunnel.json')).mtimeMs;
      if (away > MAX_DOWNTIME_MS || file.trouble !== null) return this.#end(file, file.trouble);
      if (!(await isAlive(file.keeper))) return this.#look();
      await this.#open(file.port);
      if (this.#door !== null) await this.#look();
    });
  }

  /** Runs start, stop and polls one after another. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => undefined);
    return done;
  }

  #state(): SharingState['state'] {
    if (this.#door === null && this.#fetching === null) return this.#trouble === null ? 'off' : 'trouble';
    if (this.#isReached) return 'online';
    return this.#served === null ? 'starting' : 'reaching';
  }

  async #start(): Promise<void> {
    if (!this.#isAvailable || this.#door !== null || this.#fetching !== null) return;
    this.#trouble = null;
    const provider = await this.#providerNow();
    if ((await provider.find(this.#folder)) !== null) return this.#begin(provider.name);
    if (canFetch()) void this.#fetchAndBegin();
    else this.#trouble = 'program';
  }

  async #fetchAndBegin(): Promise<void> {
    const mine = new AbortController();
    this.#fetching = mine;
    try {
      await fetchCloudflared(this.#folder, mine.signal);
      await this.#inTurn(async () => {
        if (!mine.signal.aborted) await this.#begin('cloudflare');
      });
    } catch (error) {
      if (mine.signal.aborted) return;
      this.#log.warn({ err: error }, 'the program of the tunnel could not be fetched');
      this.#trouble = error instanceof TunnelFailure ? error.trouble : 'download';
    } finally {
      if (this.#fetching === mine) this.#fetching = null;
    }
  }

  async #begin(tunnel: TunnelName, port = 0): Promise<void> {
    await this.#open(port);
    if (this.#door === null) return;
    const { PATH, HOME, SystemRoot, TMPDIR, NODE_OPTIONS, KEEPER_GONE_MS } = process.env;
    const args = ['--no-warnings', TUNNEL_PROCESS, this.#folder, tunnel, String(this.#door.port)];
    const keeper = spawn(process.execPath, args, {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
      env: { PATH, HOME, SystemRoot, TMPDIR, NODE_OPTIONS, KEEPER_GONE_MS },
    });
    keeper.on('error', (error) => this.#log.warn({ err: error }, 'the tunnel could not be started'));
    keeper.unref();
    this.#since = Date.now();
  }

  /** Opens the local port of the tunnel. Ends the sharing if the port is unavailable. */
  async #open(port: number): Promise<void> {
    try {
      this.#door ??= await this.#opening.openListener(port);
      this.#since = Date.now();
    } catch (error) {
      this.#log.warn({ err: error }, 'the port of the tunnel could not be had');
      await this.#end(this.#file(), 'port_taken');
    }
  }

  async #look(): Promise<void> {
    const file = this.#file();
    if (file === null) {
      if (this.#door !== null && Date.now() - this.#since > END_TIMEOUT_MS) await this.#end(null, 'ended');
      return;
    }
    utimesSync(join(this.#folder, 'tunnel.json'), new Date(), new Date());
    if (file.trouble !== null) return this.#end(file, file.trouble);
    if (!(await this.#isKept(file))) return this.#begin(file.tunnel, file.port);
    if (file.address === null) return;
    if (file.address !== this.#served) {
      await this.#door?.serve(file.address, file.tunnel);
      [this.#served, this.#isReached, this.#trouble] = [file.address, false, null];
      this.#since = Date.now();
    }
    if (!this.#isReached) await this.#reach(file, file.address);
  }

  /** Returns false if the tunnel process is gone. If it was killed, ends the program it left behind. */
  async #isKept({ keeper, child }: SharingFile): Promise<boolean> {
    if (Date.now() - this.#checkedAt <= ALIVE_MS) return true;
    this.#checkedAt = Date.now();
    if (await isAlive(keeper)) return true;
    removeSharingFile(this.#folder);
    if (child !== null) await endProcess(child);
    return false;
  }

  async #reach(file: SharingFile, address: string): Promise<void> {
    const isOurs = await this.#isOurs(address);
    if (isOurs === false) return this.#end(file, 'other_site');
    if (isOurs === null) {
      if (Date.now() - this.#since > UNREACHED_MS) this.#trouble = 'unreachable';
      return;
    }
    [this.#isReached, this.#trouble] = [true, null];
    const before = this.#given();
    if (before === null) writeFileSync(this.#givenPath(), address);
    await this.#opening.onChange(before === null || before === address ? null : address);
  }

  /** Requests the public address without credentials. Returns null without a valid answer, which may still come. */
  async #isOurs(address: string): Promise<boolean | null> {
    const nonce = newNonce();
    const { answer, certificate } = await probeUrl(
      proofAt(new URL(address), nonce),
      AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    );
    if (answer === null || answer.status >= 500 || certificate?.flaw !== null) return null;
    return isProof(this.#secret, nonce, proofIn(answer.body));
  }

  /**
   * Ends the tunnel process, its program and the local port.
   * @param cause trouble to report; null if there is none
   */
  async #end(file: SharingFile | null, cause: SharingTrouble | null): Promise<void> {
    removeSharingFile(this.#folder);
    const until = Date.now() + END_TIMEOUT_MS;
    while (file !== null && Date.now() < until && (await isAlive(file.keeper))) await wait(100);
    for (const left of [file?.keeper, file?.child]) if (left) await endProcess(left);
    await this.#door?.close();
    [this.#door, this.#served, this.#isReached, this.#trouble] = [null, null, false, cause];
  }

  async #providerNow(): Promise<Provider> {
    return (await tailscale.find(this.#folder)) === null ? cloudflare : tailscale;
  }

  #file(): SharingFile | null {
    return readSharingFile(this.#folder);
  }

  #givenPath(): string {
    return join(this.#folder, 'address');
  }

  /** Returns the address that the administrator published last. A new address has to be published too. */
  #given(): string | null {
    try {
      return readFileSync(this.#givenPath(), 'utf8');
    } catch {
      return null;
    }
  }
}

function proofIn(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && 'proof' in value ? String(value.proof) : '';
  } catch {
    return '';
  }
}
