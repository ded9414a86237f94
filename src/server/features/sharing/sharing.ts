import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SharingState, TunnelName } from '../../../contract/admin/site-address.ts';
import { adminCalls } from '../../auth/admin-calls.ts';
import { verifyPass } from '../../auth/pass.ts';
import type { Deps } from '../../deps.ts';
import { bind, calls, os } from '../../http/calls.ts';
import { refuse } from '../../refused.ts';
import type { AtWork } from './at-work.ts';

/** Local port that a tunnel leads to. It serves the site under the tunnel's address. */
export type TunnelListener = {
  port: number;
  /** Serves the site under this address from now on. */
  serve(address: string, tunnel: TunnelName): Promise<void>;
  close(): Promise<void>;
};

/** Opens the local port; 0 takes any free one. Rejects if it is unavailable. */
export type OpenTunnelListener = (port: number) => Promise<TunnelListener>;

/** Sharing from this computer. Its modules are loaded on first use. */
export type Sharing = {
  /** Public address of the shared site; null while it isn't shared. */
  address(): string | null;
  /** Published address that no longer works, or null. */
  lostAddress(): string | null;
  read(): Promise<SharingState>;
  start(): Promise<SharingState>;
  stop(): Promise<SharingState>;
  /** Records that the new address was published too. */
  given(): Promise<SharingState>;
  /**
   * Resumes a sharing that an earlier start left running.
   * @param onChange called when the address reaches the site, with the new address if another one was published before
   */
  resume(openPort: OpenTunnelListener, onChange: (newAddress: string | null) => Promise<void>): Promise<void>;
  /** Called at shutdown; the tunnel keeps running. */
  close(): Promise<void>;
};

export type SharingDeps = Pick<Deps, 'env' | 'log' | 'secret'>;

const OFF = { address: () => null, lostAddress: () => null };

export function createSharing(deps: SharingDeps): Sharing {
  let atWork: AtWork | null = null;
  let begun: Promise<AtWork> | null = null;
  let open: OpenTunnelListener = () => Promise.reject(new Error('The product is not serving yet'));
  let changed: (newAddress: string | null) => Promise<void> = async () => {};
  const work = () => {
    begun ??= import('./at-work.ts').then(async ({ openAtWork }) => {
      atWork = await openAtWork(deps, { openListener: open, onChange: changed });
      return atWork;
    });
    return begun;
  };
  return {
    address: () => (atWork ?? OFF).address(),
    lostAddress: () => (atWork ?? OFF).lostAddress(),
    read: async () => (await work()).read(),
    start: async () => (await work()).start(),
    stop: async () => (await work()).stop(),
    given: async () => (await work()).given(),
    async resume(openPort, onChange) {
      open = openPort;
      changed = onChange;
      if (existsSync(join(deps.env.DATA_DIR, 'sharing'))) await work();
    },
    close: async () => (await begun)?.close(),
  };
}

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
