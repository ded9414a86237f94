import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { callbackify } from 'node:util';
import type { AddressCheck } from '../../../contract/admin/site-address.ts';
import { reachOf } from '../../../domain/reach.ts';
import { errorCode } from '../../db/errors.ts';
import { resolveHost } from '../../https/addresses.ts';
import { type PeerCertificate, peerCertificate } from './shown-certificate.ts';

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
  const outgoing = send(url, signal);
  // An error after the first byte also breaks the body, and is handled there.
  outgoing.on('error', () => undefined);
  const progress = { connected: false };
  outgoing.on('socket', (socket: Socket) => {
    socket.on('lookup', (_error, address: string | undefined) => {
      response.ip ??= address ?? null;
    });
    socket.on('connect', () => {
      progress.connected = true;
      response.ip = plain(socket.remoteAddress ?? '');
    });
    socket.on('secureConnect', () => {
      if (socket instanceof TLSSocket) response.certificate = peerCertificate(socket);
    });
  });
  try {
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const { statusCode: status = 0, headers } = answer;
    response.answer = { status, location: headers.location ?? null, body: await bodyOf(answer) };
  } catch (error) {
    response.failure = failureOf(error, {
      aborted: signal.aborted,
      inHandshake: url.protocol === 'https:' && progress.connected && response.certificate === null,
      answered: response.certificate !== null || progress.connected,
    });
  } finally {
    outgoing.destroy();
  }
  return response;
}

function send(url: URL, signal: AbortSignal): ClientRequest {
  // Node connects to all addresses of a name, so `lookup` returns them all.
  const options = {
    agent: false,
    signal,
    lookup,
    autoSelectFamily: true,
    headers: { accept: 'application/json' },
  };
  const outgoing =
    url.protocol === 'https:'
      ? httpsRequest(url, { ...options, rejectUnauthorized: false })
      : httpRequest(url, options);
  return outgoing.end();
}

/** Uses DNS first, because this machine's hosts file may point to itself. Falls back to it for names that only it has. */
async function resolveName(name: string): Promise<LookupAddress[]> {
  const addresses = reachOf(name) === 'machine' ? [] : await resolveHost(name);
  if (addresses.length === 0) return dns.lookup(name, { all: true });
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

const lookup: LookupFunction = (name, _options, done) => callbackify(resolveName)(name, done);

/** Converts an IPv4-mapped IPv6 address to IPv4. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, '');

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

const NO_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

function failureOf(
  error: unknown,
  { aborted, inHandshake, answered }: { aborted: boolean; inHandshake: boolean; answered: boolean },
): ProbeResponse['failure'] {
  const code = errorCode(error);
  if (aborted || code === 'ETIMEDOUT') return 'silent';
  if (NO_NAME.has(code)) return 'no_name';
  if (code === 'ECONNREFUSED') return 'refused';
  if (inHandshake) return 'no_https';
  return answered ? 'not_ours' : 'unreachable';
}
