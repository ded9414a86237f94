import type { SharingTrouble, TunnelName } from '../../../contract/admin/sharing.ts';

/** A tunnel's program on this machine. */
export type Program = { path: string; [detail: string]: string };

/** What became of a tunnel so far. */
export type Report = {
  address?: string;
  /** An address to open first. */
  enable?: string;
  /** The process that carries it; none where a service does. */
  child?: number;
};

/** A tunnel at work. */
export type Tunnel = {
  /** Settles when it has ended, by itself or because it was stopped; with what was wrong, if something was. */
  ended: Promise<SharingTrouble | null>;
  stop(): Promise<void>;
};

/** Who carries visitors from the Internet to a port of this machine. */
export type Provider = {
  name: TunnelName;
  keepsAddress: boolean;
  /**
   * Finds its program, ready for use; null where there is none.
   * @param folder where a program that was fetched lies
   */
  find(folder: string): Promise<Program | null>;
  /**
   * Starts it and reports what it says. Rejects with a `TunnelFailure`.
   * @param port on the loopback address
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
