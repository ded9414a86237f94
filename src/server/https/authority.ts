import { setTimeout as rest } from 'node:timers/promises';
import type * as AcmeClient from 'acme-client';
import type { Authorization, Client, Order } from 'acme-client';
import { z } from 'zod';
import { pemOf } from './certificate.ts';
import { type Account, type HttpsFolder } from './https-folder.ts';

/** Timeout of one request to the authority, in ms. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Waits between polls of a check or an order, in ms: two minutes in all. */
const POLL_WAITS_MS = [100, 200, 400, 800, 1_500, 3_000, ...Array.from({ length: 23 }, () => 5_000)];

/** The authority refused. `type`: the last part of the problem type (RFC 8555, section 6.7); '' if missing. */
export class AuthorityRefused extends Error {
  override name = 'AuthorityRefused';
  readonly type: string;
  readonly status: number;
  readonly retryAfter: string | null;
  /** Name whose check failed; null if it wasn't a check. */
  readonly domain: string | null;
  constructor(
    detail: string,
    details: { type: string; status?: number; retryAfter?: string | null; domain?: string },
  ) {
    super(detail);
    this.type = details.type;
    this.status = details.status ?? 200;
    this.retryAfter = details.retryAfter ?? null;
    this.domain = details.domain ?? null;
  }
}

/** The authority didn't answer. */
export class AuthorityUnreachable extends Error {
  override name = 'AuthorityUnreachable';
}

export type CertificateOrder = {
  directory: string;
  email: string | undefined;
  names: readonly string[];
  folder: HttpsFolder;
  /** Responses to the authority's challenges on port 80, by token; filled only during an order. */
  answers: Map<string, string>;
  signal: AbortSignal;
};

/**
 * Requests a certificate with the http-01 challenge (ACME, RFC 8555). Returns a new key and its chain. Rejects at the first refusal,
 * without a wait or a retry; only a stale nonce is retried, by `acme-client`.
 */
export async function requestCertificate(certificateOrder: CertificateOrder): Promise<string> {
  const acme = await import('acme-client');
  // Makes refusals available with their type and `Retry-After`, which the library hides; it would also wait up to 90 s.
  Object.assign(acme.axios.defaults, { acmeSettings: { retryMaxAttempts: 0 } });
  const { request, response } = acme.axios.interceptors;
  const asked = request.use((config) => ({
    ...config,
    signal: certificateOrder.signal,
    timeout: ANSWER_TIMEOUT_MS,
  }));
  const answered = response.use(
    (answer) => {
      throwIfRefused(answer);
      return answer;
    },
    // The library fails on an error without a response, and its cause is lost at this point.
    () => Promise.reject(new AuthorityUnreachable(`no answer from ${certificateOrder.directory}`)),
  );
  try {
    return await order(acme, certificateOrder);
  } finally {
    request.eject(asked);
    response.eject(answered);
  }
}

type Acme = typeof AcmeClient;

async function order(acme: Acme, certificateOrder: CertificateOrder): Promise<string> {
  const { names, signal } = certificateOrder;
  const { client, order } = await placeOrder(acme, certificateOrder);
  await proveNames(client, order, certificateOrder);
  const [key, csr] = await acme.crypto.createCsr(
    { altNames: [...names] },
    await acme.crypto.createPrivateEcdsaKey(),
  );
  await client.finalizeOrder(order, csr);
  const done = await pollUntil(signal, async () => {
    const now = await client.getOrder(order);
    if (now.status === 'invalid') throw toRefusal(now.error, null);
    return now.status === 'valid' ? now : null;
  });
  return pemOf(key.toString(), await client.getCertificate(done));
}

/** Places an order with the stored account. Registers the account again if the authority doesn't know it. */
async function placeOrder(
  acme: Acme,
  certificateOrder: CertificateOrder,
): Promise<{ client: Client; order: Order }> {
  const { directory, folder, names } = certificateOrder;
  const stored = await folder.account(directory);
  const account = stored ?? {
    directory,
    key: (await acme.crypto.createPrivateEcdsaKey()).toString(),
    url: null,
  };
  if (stored === null) await folder.keepAccount(account);
  const identifiers = names.map((value) => ({ type: 'dns', value }));
  const ordered = async (known: Account) => {
    const client = await createClient(acme, known, certificateOrder);
    return { client, order: await client.createOrder({ identifiers }) };
  };
  try {
    return await ordered(account);
  } catch (error) {
    const isUnknown = error instanceof AuthorityRefused && error.type === 'accountDoesNotExist';
    if (!isUnknown || account.url === null) throw error;
    return ordered({ ...account, url: null });
  }
}

async function createClient(
  acme: Acme,
  { directory, key, url }: Account,
  { email, folder }: CertificateOrder,
): Promise<Client> {
  const client = new acme.Client({
    directoryUrl: directory,
    accountKey: key,
    ...(url === null ? {} : { accountUrl: url }),
  });
  if (url !== null) return client;
  const contact = email === undefined ? {} : { contact: [`mailto:${email}`] };
  await client.createAccount({ termsOfServiceAgreed: true, ...contact });
  await folder.keepAccount({ directory, key, url: client.getAccountUrl() });
  return client;
}

/** Proves to the authority that the names point to this server. */
async function proveNames(
  client: Client,
  order: Order,
  { answers, signal }: CertificateOrder,
): Promise<void> {
  const open = (await client.getAuthorizations(order)).filter(({ status }) => status !== 'valid');
  const asked: string[] = [];
  try {
    for (const { identifier, challenges } of open) {
      const challenge = challenges.find(({ type }) => type === 'http-01');
      if (challenge === undefined)
        throw new AuthorityRefused('no http-01', { type: '', domain: identifier.value });
      asked.push(challenge.token);
      answers.set(challenge.token, await client.getChallengeKeyAuthorization(challenge));
      await client.completeChallenge(challenge);
    }
    await pollUntil(signal, async () => {
      const now = await client.getAuthorizations(order);
      for (const authorization of now) refuseFailed(authorization);
      return now.every(({ status }) => status === 'valid') ? now : null;
    });
  } finally {
    for (const token of asked) answers.delete(token);
  }
}

function refuseFailed({ status, identifier, challenges }: Authorization): void {
  if (status === 'valid' || status === 'pending') return;
  throw toRefusal(challenges.find(({ error }) => error !== undefined)?.error, identifier.value);
}

/** Polls until there is a value; rejects after two minutes. */
async function pollUntil<T>(signal: AbortSignal, poll: () => Promise<T | null>): Promise<T> {
  for (const pause of POLL_WAITS_MS) {
    const polled = await poll();
    if (polled !== null) return polled;
    await rest(pause, undefined, { signal });
  }
  throw new AuthorityRefused('still not decided', { type: 'serverInternal', status: 504 });
}

const problem = z.object({ type: z.string(), detail: z.string().catch('') });

function toRefusal(error: unknown, domain: string | null): AuthorityRefused {
  const { type, detail } = problem.safeParse(error).data ?? { type: '', detail: '' };
  return new AuthorityRefused(detail, { type: problemType(type), ...(domain === null ? {} : { domain }) });
}

const problemType = (type: string) => type.replace('urn:ietf:params:acme:error:', '');

/** Throws the refusal in a response; a stale nonce is left to the library, which repeats the request. */
function throwIfRefused(answer: { status: number; data: unknown; headers: unknown }): void {
  if (answer.status < 400) return;
  const { type, detail } = problem.safeParse(answer.data).data ?? { type: '', detail: '' };
  if (problemType(type) === 'badNonce') return;
  const headers = z.object({ 'retry-after': z.string() }).safeParse(answer.headers).data;
  throw new AuthorityRefused(detail === '' ? `HTTP ${answer.status}` : detail, {
    type: problemType(type),
    status: answer.status,
    retryAfter: headers?.['retry-after'] ?? null,
  });
}
