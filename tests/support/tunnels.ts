import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ownAuthority } from './certificates.ts';
import { newFolder } from './server.ts';
import { resolveTunnelsHere } from './tunnel-names.mjs';

/** Behaviour of the fake program; by default it works. */
export type TunnelOrders = {
  /** Exits at once. */
  dies?: boolean;
  /** Prints no address. */
  hangs?: boolean;
  /** Prints an address without https. */
  plain?: boolean;
  /** Forwards to another port. */
  elsewhere?: number;
  signedOut?: boolean;
  /** Tailscale's address to open first. */
  enable?: string;
};

/** Fake tunnel programs, first in PATH, whose names and certificates this process trusts. */
export type Tunnels = {
  /** Environment of a product that is started as a process. */
  env: Record<string, string>;
  order(orders: TunnelOrders): void;
  /** Makes the account allow the tunnel. */
  enable(): void;
  /** Sets Tailscale's served configuration. */
  remember(served: object): void;
  remembered(): unknown;
  /** Returns the calls of the programs, one per line. */
  calls(): string[];
  end(): Promise<void>;
};

/** Installs the fakes. @param programs the ones to install */
export async function tunnels(...programs: ('cloudflared' | 'tailscale')[]): Promise<Tunnels> {
  const folder = await newFolder();
  const authority = await ownAuthority();
  const { key, cert } = authority.give({ name: '*.trycloudflare.com' });
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'ca.pem'), authority.ca);
  mkdirSync(join(folder, 'bin'));
  for (const name of programs) {
    const script = join(folder, 'bin', name);
    const program = join(import.meta.dirname, 'tunnel-program.mjs');
    writeFileSync(script, `#!/bin/sh\nexec '${process.execPath}' '${program}' ${name} '${folder}' "$@"\n`);
    chmodSync(script, 0o755);
  }
  const [PATH, trusted] = [process.env.PATH ?? '', getCACertificates('default')];
  const path = `${join(folder, 'bin')}${delimiter}${PATH}`;
  process.env.PATH = path;
  setDefaultCACertificates([...trusted, authority.ca]);
  const forget = resolveTunnelsHere();
  const log = join(folder, 'calls.log');
  return {
    env: {
      PATH: path,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      TUNNEL_NAMES: '1',
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'tunnel-names.mjs')}`,
    },
    order: (orders) => writeFileSync(join(folder, 'orders.json'), JSON.stringify(orders)),
    enable: () => writeFileSync(join(folder, 'enabled'), ''),
    remember: (served) => writeFileSync(join(folder, 'state.json'), JSON.stringify(served)),
    remembered: () => JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')),
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    async end() {
      process.env.PATH = PATH;
      setDefaultCACertificates(trusted);
      forget();
      await authority.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
