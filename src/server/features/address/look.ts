import { z } from 'zod';
import type { AddressCheck } from '../../../contract/admin/site-address.ts';
import { localAddresses } from '../../https/addresses.ts';
import { type ProbeResponse, probeUrl } from './ask.ts';
import { isProof, newNonce, proofAt } from './proof.ts';

/** How long all of it may take, in ms. */
const PATIENCE_MS = 10_000;
/** So often an address may lead on to another one. */
const MOST_STEPS = 5;

type Options = {
  /** Where plain http is under the same name; null: it isn't looked at. */
  plainOf?: (site: URL) => URL | null;
  patienceMs?: number;
};

/**
 * Looks what an address leads to: is it this installation, is the certificate good, does http lead to https? Only the path of the proof is
 * asked for, wherever it leads. What it finds is never thrown.
 * @param secret the installation's own, by which it knows itself
 */
export async function inspectAddress(
  address: URL,
  secret: Buffer,
  { plainOf = plainHttpOf, patienceMs = PATIENCE_MS }: Options = {},
): Promise<AddressCheck> {
  const nonce = newNonce();
  const signal = AbortSignal.timeout(patienceMs);
  const { url, met, flawed, tooFar } = await follow(proofAt(address, nonce), signal);
  const answersAs = met.answer === null ? met.failure : answererOf(met.answer.body, secret, nonce);
  const certificate = flawed ?? met.certificate;
  const plain = certificate === null ? null : plainOf(url);
  return {
    address: address.origin,
    found: tooFar ? 'redirects' : answersAs,
    led_to: url.origin === address.origin ? null : url.origin,
    ip: met.ip,
    own: met.ip !== null && localAddresses().includes(met.ip),
    certificate,
    http: plain === null ? null : await plainHttp(proofAt(plain, nonce), url, signal),
  };
}

type RedirectResult = { url: URL; met: ProbeResponse; flawed: ProbeResponse['certificate']; tooFar: boolean };

/** Goes where the answers lead, as long as it is the same path of another site. A browser stops at the first certificate that isn't good. */
async function follow(first: URL, signal: AbortSignal): Promise<RedirectResult> {
  let [url, flawed]: [URL, ProbeResponse['certificate']] = [first, null];
  for (let steps = 0; ; steps += 1) {
    const met = await probeUrl(url, signal);
    if (met.certificate !== null && met.certificate.flaw !== null) flawed ??= met.certificate;
    const next = nextOf(met, url);
    if (next === null) return { url, met, flawed, tooFar: false };
    if (steps === MOST_STEPS) return { url, met, flawed, tooFar: true };
    url = next;
  }
}

/** Where an answer leads, if that is another place for the same thing. */
function nextOf({ answer }: ProbeResponse, url: URL): URL | null {
  const next = leadOf(answer, url);
  const isSame = next !== null && next.pathname === url.pathname && next.search === url.search;
  return isSame && /^https?:$/.test(next.protocol) && next.username === '' ? next : null;
}

function leadOf(answer: ProbeResponse['answer'], url: URL): URL | null {
  if (answer === null || answer.status < 300 || answer.status > 399) return null;
  return answer.location !== null && URL.canParse(answer.location, url.href)
    ? new URL(answer.location, url.href)
    : null;
}

const proved = z.object({ proof: z.string() });
const refusedHost = z.object({ codice: z.literal('WRONG_HOST') });

/** Who answers so? */
function answererOf(body: string, secret: Buffer, nonce: string): AddressCheck['found'] {
  const said = parsed(body);
  if (refusedHost.safeParse(said).success) return 'wrong_host';
  const proof = proved.safeParse(said).data?.proof;
  if (proof === undefined) return 'not_ours';
  return isProof(secret, nonce, proof) ? 'ours' : 'other_installation';
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** A site on https' own port has plain http on its own; on any other port nobody expects it. */
export function plainHttpOf(site: URL): URL | null {
  return site.protocol === 'https:' && site.port === '' ? new URL(`http://${site.hostname}`) : null;
}

/** Does plain http lead to the same name by https? */
async function plainHttp(plain: URL, site: URL, signal: AbortSignal): Promise<AddressCheck['http']> {
  const { answer } = await probeUrl(plain, signal);
  if (answer === null) return 'silent';
  const lead = leadOf(answer, plain);
  return lead?.protocol === 'https:' && lead.hostname === site.hostname ? 'leads' : 'stays';
}
