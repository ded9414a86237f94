import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { callbackify } from 'node:util';
import { z } from 'zod';
import type { AddressCheck, CERTIFICATE_FLAWS } from '../../../contract/admin/site-address.ts';
import { reachOf } from '../../../domain/reach.ts';
import { errorCode } from '../../db/errors.ts';
import { localAddresses, resolveHost } from '../../https/rules.ts';

/** Longest body that is read, in bytes. The product's own replies to these requests are shorter. */
const MAX_BODY_BYTES = 64 * 1024;

/** Result of one request: an answer, or the reason that it is missing. */
export type ProbeResponse = {
  ip: string | null;
  certificate: PeerCertificate | null;
  answer: { status: number; location: string | null; body: string } | null;
  /** Only set if `answer` is null. */
  failure: AddressCheck['found'];
};

/**
 * Requests an address once, resolving its name by DNS and not by this machine's hosts file. Accepts and reports any
 * certificate: the request holds no secret, and the reply carries a proof. Never rejects.
 */
export async function probeUrl(url: URL, signal: AbortSignal): Promise<ProbeResponse> {
  const response: ProbeResponse = { ip: null, certificate: null, answer: null, failure: 'unreachable' };
  const isHttps = url.protocol === 'https:';
  const request: typeof httpsRequest = isHttps ? httpsRequest : httpRequest;
  const headers = { accept: 'application/json' };
  // Node connects to all addresses of a name, so `lookup` returns them all.
  const options = {
    agent: false,
    signal,
    lookup,
    autoSelectFamily: true,
    rejectUnauthorized: false,
    headers,
  };
  const outgoing = request(url, options).end();
  // An error after the first byte also breaks the body, and is handled there.
  outgoing.on('error', () => undefined);
  const progress = { connected: false };
  outgoing.on('socket', (socket: Socket) => {
    socket.on('lookup', (_error, address: string | undefined) => {
      response.ip ??= address ?? null;
    });
    socket.on('connect', () => {
      progress.connected = true;
      // An IPv4-mapped IPv6 address is shown as IPv4.
      response.ip = socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? '';
    });
    socket.on('secureConnect', () => {
      if (socket instanceof TLSSocket) response.certificate = peerCertificate(socket);
    });
  });
  try {
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const { statusCode: status = 0 } = answer;
    response.answer = { status, location: answer.headers.location ?? null, body: await bodyOf(answer) };
  } catch (error) {
    const code = errorCode(error);
    const failedHandshake = isHttps && response.certificate === null ? 'no_https' : 'not_ours';
    if (signal.aborted || code === 'ETIMEDOUT') response.failure = 'silent';
    else if (NO_NAME.has(code)) response.failure = 'no_name';
    else if (code === 'ECONNREFUSED') response.failure = 'refused';
    else if (progress.connected) response.failure = failedHandshake;
  } finally {
    outgoing.destroy();
  }
  return response;
}

const NO_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/** Uses DNS first, because this machine's hosts file may point to itself. Falls back to it for names that only it has. */
async function resolveName(name: string): Promise<LookupAddress[]> {
  const addresses = reachOf(name) === 'machine' ? [] : await resolveHost(name);
  if (addresses.length === 0) return dns.lookup(name, { all: true });
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

const lookup: LookupFunction = (name, _options, done) => callbackify(resolveName)(name, done);

/** Reads the body up to the length limit and ignores the rest. */
async function bodyOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

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
    if (met.certificate?.flaw) flawed ??= met.certificate;
    const next = redirectTarget(met.answer, url);
    const isSame = next?.pathname === url.pathname && next.search === url.search;
    const goesOn = isSame && /^https?:$/.test(next.protocol) && next.username === '';
    if (!goesOn || steps === MAX_REDIRECTS) return { url, met, flawed, tooFar: goesOn };
    url = next;
  }
}

function redirectTarget(answer: ProbeResponse['answer'], url: URL): URL | null {
  if (answer === null || answer.status < 300 || answer.status > 399) return null;
  const { location } = answer;
  return location !== null && URL.canParse(location, url.href) ? new URL(location, url.href) : null;
}

const proved = z.object({ proof: z.string() });
const refusedHost = z.object({ codice: z.literal('WRONG_HOST') });

/** Returns what kind of server sent this body. */
export function answererOf(body: string, secret: Buffer, nonce: string): AddressCheck['found'] {
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

export type PeerCertificate = NonNullable<AddressCheck['certificate']>;
type Flaw = (typeof CERTIFICATE_FLAWS)[number];

/** Flaws by OpenSSL's error codes, and by Node's for a wrong name. Any other error counts as an untrusted issuer. */
const FLAWS: ReadonlyMap<string, Flaw> = new Map([
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'not_yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'other_name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self_signed'],
]);

/** Limits for text from another server: characters per name and number of names. */
const MAX = { letters: 100, names: 5 };

/** Returns the connection's certificate and the flaw that a browser would report; null without a certificate. */
export function peerCertificate(socket: TLSSocket): PeerCertificate | null {
  const { valid_to, issuer, subjectaltname = '' } = socket.getPeerCertificate();
  const until = new Date(valid_to);
  if (Number.isNaN(until.getTime())) return null;
  const flaw = socket.authorized ? null : (FLAWS.get(String(socket.authorizationError)) ?? 'untrusted');
  return {
    valid_until: until.toISOString(),
    issuer: [issuer.O ?? issuer.CN ?? ''].flat().join(', ').slice(0, MAX.letters),
    names: flaw === 'other_name' ? namesIn(subjectaltname) : [],
    flaw,
  };
}

/** Parses Node's format, «DNS:a.example, DNS:b.example, IP Address:192.0.2.7». */
function namesIn(subjectaltname: string): string[] {
  return subjectaltname
    .split(', ')
    .map((name) => name.replace(/^[^:]*:/, '').slice(0, MAX.letters))
    .slice(0, MAX.names);
}

/** Path at which an installation proves its identity. */
const PROOF_PATH = '/api/site/proof';

/** Returns the proof's URL at a site, with a nonce. */
export function proofAt(site: URL, nonce: string): URL {
  const url = new URL(PROOF_PATH, site);
  url.searchParams.set('nonce', nonce);
  return url;
}

/** Returns a random nonce for one check. */
export const newNonce = (): string => randomBytes(16).toString('base64url');

/**
 * Returns the HMAC of the nonce. The payload names its purpose, so no other value signed with this key is valid as a
 * proof, or the reverse.
 */
export function proofOf(secret: Buffer, nonce: string): string {
  return createHmac('sha256', secret).update(`address:${nonce}`).digest('base64url');
}

/** Returns true if this installation made the proof, comparing in constant time. */
function isProof(secret: Buffer, nonce: string, proof: string): boolean {
  const [expected, received] = [Buffer.from(proofOf(secret, nonce)), Buffer.from(proof)];
  return expected.length === received.length && timingSafeEqual(expected, received);
}
