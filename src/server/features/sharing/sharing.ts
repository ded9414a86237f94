import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SharingState, SharingTrouble, TunnelName } from '../../../contract/admin/site-address.ts';
import { adminCalls } from '../../auth/actor.ts';
import { verifyPass } from '../../auth/secrets.ts';
import type { Deps } from '../../deps.ts';
import { bind, calls, os } from '../../http/calls.ts';
import { resolveModule } from '../../place.ts';
import { refuse } from '../../refused.ts';
import { createSemaphore } from '../../work/semaphore.ts';
import { type Interval, startInterval } from '../../work/timers.ts';
import { answererOf, newNonce, probeUrl, proofAt } from '../address/ask.ts';
import {
  endProcess,
  isAlive,
  readSharingFile,
  removeSharingFile,
  type SharingFile,
  sharingPath,
} from './programs.ts';
import {
  canFetch,
  cloudflare,
  fetchCloudflared,
  type Provider,
  TunnelFailure,
  tailscale,
} from './tunnels.ts';

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

/** Local port that a tunnel leads to. It serves the site under the tunnel's address. */
export type TunnelListener = {
  port: number;
  /** Serves the site under this address from now on. */
  serve(address: string, tunnel: TunnelName): Promise<void>;
  close(): Promise<void>;
};

/** Opens the local port; 0 takes any free one. Rejects if it is unavailable. */
type OpenTunnelListener = (port: number) => Promise<TunnelListener>;

/** Sharing from this computer. */
export type Sharing = Pick<TunnelWatch, keyof TunnelWatch>;

export const createSharing = (deps: SharingDeps): Sharing => new TunnelWatch(deps);

type SharingDeps = Pick<Deps, 'env' | 'log' | 'secret'>;

/** Monitors the tunnel process, resumes a running one, and serves the clients of its tunnel. Works from its first use on. */
class TunnelWatch {
  readonly #log;
  readonly #secret;
  /** Contains what outlasts the process: the tunnel file, the published address and a downloaded program. */
  readonly #folder: string;
  readonly #givenPath: string;
  readonly #isAvailable: boolean;
  #openListener: OpenTunnelListener = () => Promise.reject(new Error('The product is not serving yet'));
  #onChange: (newAddress: string | null) => Promise<void> = async () => {};
  #begun: Promise<void> | null = null;
  #looks: Interval | null = null;
  #door: TunnelListener | null = null;
  #served: string | null = null;
  #isReached = false;
  /** Start of the current wait and time of the last process check, in ms since the epoch. */
  #since = 0;
  #checkedAt = 0;
  #trouble: SharingTrouble | null = null;
  #fetching: AbortController | null = null;
  /** Runs start, stop and polls one after another. */
  readonly #turns = createSemaphore(1);

  constructor({ env, log, secret }: SharingDeps) {
    this.#log = log;
    this.#secret = secret;
    this.#folder = join(env.DATA_DIR, 'sharing');
    this.#givenPath = join(this.#folder, 'address');
    this.#isAvailable = env.PUBLIC_URL === undefined && env.HTTPS_DOMAIN === undefined;
  }

  /** Public address of the shared site; null while it isn't shared. */
  address(): string | null {
    return this.#served;
  }

  /** Published address that no longer works, or null. */
  lostAddress(): string | null {
    const before = this.#isReached ? this.#given() : null;
    return before === this.#served ? null : before;
  }

  async read(): Promise<SharingState> {
    await this.#begin();
    const file = this.#file();
    // The file names the provider of a running tunnel.
    const provider = file === null ? await this.#providerNow() : PROVIDERS[file.tunnel];
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

  async start(): Promise<SharingState> {
    await this.#begin();
    await this.#turns.run(() => this.#start());
    return this.read();
  }

  async stop(): Promise<SharingState> {
    await this.#begin();
    this.#fetching?.abort();
    this.#fetching = null;
    await this.#turns.run(() => this.#end(this.#file(), null));
    rmSync(this.#givenPath, { force: true });
    return this.read();
  }

  /** Records that the new address was published too. */
  async given(): Promise<SharingState> {
    await this.#begin();
    if (this.#served !== null) writeFileSync(this.#givenPath, this.#served);
    return this.read();
  }

  /**
   * Resumes a sharing that an earlier start left running.
   * @param onChange called when the address reaches the site, with the new address if another one was published before
   */
  async resume(
    openListener: OpenTunnelListener,
    onChange: (newAddress: string | null) => Promise<void>,
  ): Promise<void> {
    this.#openListener = openListener;
    this.#onChange = onChange;
    if (existsSync(this.#folder)) await this.#begin();
  }

  /** Called at shutdown; the tunnel keeps running. */
  async close(): Promise<void> {
    await this.#begun;
    this.#fetching?.abort();
    await this.#looks?.stop();
    await this.#door?.close();
  }

  #begin(): Promise<void> {
    this.#looks ??= startInterval(
      POLL_MS,
      () => this.#turns.run(() => this.#look()),
      (error) => this.#log.warn({ err: error }, 'the sharing could not be looked after'),
    );
    this.#begun ??= this.#turns.run(() => this.#resumeRunning());
    return this.#begun;
  }

  /** Resumes a tunnel that an earlier start left running, unless the product was down for too long. */
  async #resumeRunning(): Promise<void> {
    const file = this.#file();
    if (file === null) return;
    if (!this.#isAvailable) return this.#end(file, null);
    const away = Date.now() - statSync(sharingPath(this.#folder)).mtimeMs;
    if (away > MAX_DOWNTIME_MS || file.trouble !== null) return this.#end(file, file.trouble);
    if (!(await isAlive(file.keeper))) return this.#look();
    await this.#open(file.port);
    if (this.#door !== null) await this.#look();
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
    if ((await provider.find(this.#folder)) !== null) return this.#spawn(provider.name);
    if (canFetch()) void this.#fetchAndSpawn();
    else this.#trouble = 'program';
  }

  async #fetchAndSpawn(): Promise<void> {
    const mine = new AbortController();
    this.#fetching = mine;
    try {
      await fetchCloudflared(this.#folder, mine.signal);
      await this.#turns.run(async () => {
        if (!mine.signal.aborted) await this.#spawn('cloudflare');
      });
    } catch (error) {
      if (mine.signal.aborted) return;
      this.#log.warn({ err: error }, 'the program of the tunnel could not be fetched');
      this.#trouble = error instanceof TunnelFailure ? error.trouble : 'download';
    } finally {
      if (this.#fetching === mine) this.#fetching = null;
    }
  }

  async #spawn(tunnel: TunnelName, port = 0): Promise<void> {
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
      this.#door ??= await this.#openListener(port);
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
    utimesSync(sharingPath(this.#folder), new Date(), new Date());
    if (file.trouble !== null) return this.#end(file, file.trouble);
    if (!(await this.#isKept(file))) return this.#spawn(file.tunnel, file.port);
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
    if (before === null) writeFileSync(this.#givenPath, address);
    await this.#onChange(before === null || before === address ? null : address);
  }

  /** Requests the public address without credentials. Returns null without a valid answer, which may still come. */
  async #isOurs(address: string): Promise<boolean | null> {
    const nonce = newNonce();
    const { answer, certificate } = await probeUrl(
      proofAt(new URL(address), nonce),
      AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    );
    if (answer === null || answer.status >= 500 || certificate?.flaw !== null) return null;
    return answererOf(answer.body, this.#secret, nonce) === 'ours';
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

  /** Tailscale is recommended, because its address stays. */
  async #providerNow(): Promise<Provider> {
    return (await tailscale.find(this.#folder)) === null ? cloudflare : tailscale;
  }

  #file(): SharingFile | null {
    return readSharingFile(this.#folder);
  }

  /** Returns the address that the administrator published last. A new address has to be published too. */
  #given(): string | null {
    try {
      return readFileSync(this.#givenPath, 'utf8');
    } catch {
      return null;
    }
  }
}

const PROVIDERS: Record<TunnelName, Provider> = { tailscale, cloudflare };

export const sharingCalls = calls(adminCalls.sharing, {
  read: ({ sharing }) => sharing.read(),
  start: ({ sharing }) => sharing.start(),
  stop: ({ sharing }) => sharing.stop(),
  command: bind(os.admin.sharing.command, ({ secret, sharing }, { action, pass }) => {
    // The command runs on this machine and uses its clock.
    const isValid = verifyPass(secret, 'share', pass, new Date()) !== null;
    return isValid ? sharing[action]() : refuse('NOT_FOUND');
  }),
  given: ({ sharing }) => sharing.given(),
});
