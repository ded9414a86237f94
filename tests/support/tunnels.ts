import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ownAuthority } from './certificates.ts';
import { newFolder } from './server.ts';
import { leadHere } from './tunnel-names.mjs';

/** What the program that stands in shall do instead of its best. */
export type TunnelOrders = {
  /** It ends at once. */
  dies?: boolean;
  /** It says nothing of an address. */
  hangs?: boolean;
  /** The address it gives isn't https. */
  plain?: boolean;
  /** It leads to another port. */
  elsewhere?: number;
  silentMs?: number;
  signedOut?: boolean;
  /** Tailscale's address to open first. */
  enable?: string;
};

/** Stand-ins for the tunnels' programs, first in PATH, whose names and certificates this process believes. */
export type Tunnels = {
  /** For a product that is started as a process. */
  env: Record<string, string>;
  order(orders: TunnelOrders): void;
  /** The account allows it now. */
  enable(): void;
  /** What Tailscale serves. */
  remember(served: object): void;
  remembered(): unknown;
  /** How they were called, a line each. */
  calls(): string[];
  end(): Promise<void>;
};

/** @param programs which of them are installed */
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
  const forget = leadHere();
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
