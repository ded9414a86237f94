import type { SharingTrouble, TunnelName } from '../../../contract/admin/site-address.ts';

/** A tunnel's program on this machine. */
export type Program = { path: string; [detail: string]: string };

/** Progress of a tunnel. */
export type Report = {
  address?: string;
  /** Address at which the account must first allow the tunnel. */
  enable?: string;
  /** Id of the tunnel's process; absent if a system service runs it. */
  child?: number;
};

/** A running tunnel. */
export type Tunnel = {
  /** Resolves when the tunnel has ended, with its trouble or null. */
  ended: Promise<SharingTrouble | null>;
  stop(): Promise<void>;
};

/** Service that connects the Internet with a port of this machine. */
export type Provider = {
  name: TunnelName;
  keepsAddress: boolean;
  /**
   * Returns its program if it is ready for use, or null.
   * @param folder may contain a downloaded program
   */
  find(folder: string): Promise<Program | null>;
  /**
   * Starts the tunnel and reports its progress. Rejects with a `TunnelFailure`.
   * @param options `port` is on the loopback address
   */
  start(
    program: Program,
    options: { port: number; folder: string; say(report: Report): void },
  ): Promise<Tunnel>;
};

export class TunnelFailure extends Error {
  readonly trouble: SharingTrouble;
  constructor(trouble: SharingTrouble, detail = '') {
    super(`${trouble} ${detail}`.trim());
    this.trouble = trouble;
  }
}
