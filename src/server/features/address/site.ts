import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import type { SiteAddress } from '../../../contract/admin/address.ts';
import { reachOf } from '../../../domain/reach.ts';
import type { Env } from '../../env.ts';
import { isHttps } from '../../http/https.ts';
import { IS_RELEASED } from '../../place.ts';
import { productVersion } from '../archive/manifest.ts';
import { hostsIn } from './hosts.ts';

/** Where the site is found by these settings, on this machine. */
export function siteOf(env: Env): SiteAddress {
  const { PUBLIC_URL, PORT, DATA_DIR } = env;
  return {
    public_url: PUBLIC_URL ?? null,
    reach: PUBLIC_URL === undefined ? 'none' : reachOf(new URL(PUBLIC_URL).hostname),
    // The site's, also where it is asked for at the machine's own door.
    https: isHttps({ PUBLIC_URL }),
    served: servedBy(env),
    port: PORT,
    open_to_network: isOpenToNetwork(env),
    hosts: hostsIn(networkInterfaces()),
    version: productVersion(),
    installed: IS_RELEASED ? 'release' : 'checkout',
    windows: process.platform === 'win32',
    data_dir: DATA_DIR === './data' ? null : resolve(DATA_DIR),
  };
}

function servedBy({ HTTPS_DOMAIN, TRUSTED_PROXIES }: Env): SiteAddress['served'] {
  if (HTTPS_DOMAIN !== undefined) return 'own_https';
  return TRUSTED_PROXIES.length > 0 ? 'proxy' : 'plain';
}

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** With a public name, its own or one before it, the product takes nothing that is asked by the machine's address. */
function isOpenToNetwork({ HOST, PUBLIC_URL, HTTPS_DOMAIN }: Env): boolean {
  if (HTTPS_DOMAIN !== undefined) return false;
  const isAddress = PUBLIC_URL === undefined || reachOf(new URL(PUBLIC_URL).hostname) === 'network';
  return isAddress && (EVERYWHERE.has(HOST) || reachOf(HOST) !== 'machine');
}
