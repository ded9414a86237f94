import { z } from 'zod';
import type { AddressCheck } from '../../../contract/admin/site-address.ts';
import { localAddresses } from '../../https/addresses.ts';
import { type ProbeResponse, probeUrl } from './ask.ts';
import { isProof, newNonce, proofAt } from './proof.ts';

/** Timeout of the whole check, in ms. */
const TIMEOUT_MS = 10_000;
/** Maximum number of redirects. */
const MAX_REDIRECTS = 5;

type Options = {
  /** Returns the plain http address of the same name, or null to skip that check. */
  plainOf?: (site: URL) => URL | null;
  timeoutMs?: number;
};

/**
 * Checks whether an address leads to this installation, with a valid certificate and a redirect from http to https.
 * Requests only the path of the proof, also after redirects. Never rejects.
 * @param secret the installation's secret, which verifies the proof
 */
export async function inspectAddress(
  address: URL,
  secret: Buffer,
  { plainOf = plainHttpOf, timeoutMs = TIMEOUT_MS }: Options = {},
): Promise<AddressCheck> {
  const nonce = newNonce();
  const signal = AbortSignal.timeout(timeoutMs);
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

/** Follows redirects to the same path of another site. Reports the first invalid certificate, because a browser stops there. */
async function follow(first: URL, signal: AbortSignal): Promise<RedirectResult> {
  let [url, flawed]: [URL, ProbeResponse['certificate']] = [first, null];
  for (let steps = 0; ; steps += 1) {
    const met = await probeUrl(url, signal);
    if (met.certificate !== null && met.certificate.flaw !== null) flawed ??= met.certificate;
    const next = nextOf(met, url);
    if (next === null) return { url, met, flawed, tooFar: false };
    if (steps === MAX_REDIRECTS) return { url, met, flawed, tooFar: true };
    url = next;
  }
}

/** Returns the redirect's target if it has the same path and query, without credentials. */
function nextOf({ answer }: ProbeResponse, url: URL): URL | null {
  const next = redirectTarget(answer, url);
  const isSame = next !== null && next.pathname === url.pathname && next.search === url.search;
  return isSame && /^https?:$/.test(next.protocol) && next.username === '' ? next : null;
}

function redirectTarget(answer: ProbeResponse['answer'], url: URL): URL | null {
  if (answer === null || answer.status < 300 || answer.status > 399) return null;
  return answer.location !== null && URL.canParse(answer.location, url.href)
    ? new URL(answer.location, url.href)
    : null;
}

const proved = z.object({ proof: z.string() });
const refusedHost = z.object({ codice: z.literal('WRONG_HOST') });

/** Returns what kind of server sent this body. */
function answererOf(body: string, secret: Buffer, nonce: string): AddressCheck['found'] {
  const reply = parsed(body);
  if (refusedHost.safeParse(reply).success) return 'wrong_host';
  const proof = proved.safeParse(reply).data?.proof;
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

/** Returns the http address of a site on the standard https port; on any other port no http is expected. */
export function plainHttpOf(site: URL): URL | null {
  return site.protocol === 'https:' && site.port === '' ? new URL(`http://${site.hostname}`) : null;
}

/** Returns `leads` if http redirects to https under the same name. */
async function plainHttp(plain: URL, site: URL, signal: AbortSignal): Promise<AddressCheck['http']> {
  const { answer } = await probeUrl(plain, signal);
  if (answer === null) return 'silent';
  const target = redirectTarget(answer, plain);
  return target?.protocol === 'https:' && target.hostname === site.hostname ? 'leads' : 'stays';
}
