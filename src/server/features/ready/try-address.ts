import type { AddressCheck } from '../../../contract/admin/site-address.ts';
import { reachOf } from '../../../domain/reach.ts';
import type { AddressProbe } from '../../../domain/readiness-probes.ts';
import type { Deps } from '../../deps.ts';
import { siteAddress } from '../../http/address.ts';
import { inspectAddress } from '../address/ask.ts';

type AddressDeps = Pick<Deps, 'env' | 'sharing' | 'secret'>;

/** `asked`: the address that was checked. */
export type AddressCheckResult = AddressProbe & { asked: string };

/** Requests the site address without credentials; returns null if there is no site address. */
export async function checkSiteAddress(deps: AddressDeps): Promise<AddressCheckResult | null> {
  const address = siteAddress(deps);
  if (address === null) return null;
  const url = new URL(address);
  const { found, certificate } = await inspectAddress(url, deps.secret);
  return {
    asked: address,
    found: FOUND[found],
    isPlain: url.protocol === 'http:' && reachOf(url.hostname) === 'public',
    certificate: certificate && { isGood: certificate.flaw === null, until: certificate.valid_until },
  };
}

const FOUND: Record<AddressCheck['found'], AddressProbe['found']> = {
  ours: 'ours',
  other_installation: 'other',
  wrong_host: 'other',
  not_ours: 'other',
  redirects: 'other',
  no_name: 'silent',
  refused: 'silent',
  silent: 'silent',
  unreachable: 'silent',
  no_https: 'silent',
};
