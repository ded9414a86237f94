import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SharingState, TunnelName } from '../../../contract/admin/sharing.ts';
import type { Deps } from '../../deps.ts';
import type { AtWork } from './at-work.ts';

/** Where the tunnel leads to: a port of the loopback address that answers under the tunnel's address. */
export type TunnelDoor = {
  port: number;
  /** From now on it answers under this address. */
  serve(address: string, tunnel: TunnelName): Promise<void>;
  close(): Promise<void>;
};

/** Opens that door. @param port 0: any that is free. Rejects where it can't be had. */
export type OpenTunnelDoor = (port: number) => Promise<TunnelDoor>;

/** The sharing from this computer. What it needs is loaded when somebody wants it. */
export type Sharing = {
  /** Under which address the site is shared; null where it isn't. */
  address(): string | null;
  /** The address that was given out and opens no more. */
  lostAddress(): string | null;
  read(): Promise<SharingState>;
  start(): Promise<SharingState>;
  stop(): Promise<SharingState>;
  /** The new address was given out, too. */
  given(): Promise<SharingState>;
  /**
   * Takes up a sharing that an earlier start left at work.
   * @param onChange told when the site is reached; with the address where another one was given out before
   */
  resume(openDoor: OpenTunnelDoor, onChange: (newAddress: string | null) => Promise<void>): Promise<void>;
  /** Ends with the process; the tunnel goes on. */
  close(): Promise<void>;
};

export type SharingDeps = Pick<Deps, 'env' | 'log' | 'secret'>;

const OFF = { address: () => null, lostAddress: () => null };

export function createSharing(deps: SharingDeps): Sharing {
  let atWork: AtWork | null = null;
  let begun: Promise<AtWork> | null = null;
  let open: OpenTunnelDoor = () => Promise.reject(new Error('The product is not serving yet'));
  let changed: (newAddress: string | null) => Promise<void> = async () => {};
  const work = () => {
    begun ??= import('./at-work.ts').then(async ({ openAtWork }) => {
      atWork = await openAtWork(deps, { openDoor: open, onChange: changed });
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
    async resume(openDoor, onChange) {
      open = openDoor;
      changed = onChange;
      if (existsSync(join(deps.env.DATA_DIR, 'sharing'))) await work();
    },
    close: async () => (await begun)?.close(),
  };
}
