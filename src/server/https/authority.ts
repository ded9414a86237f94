import { createHash } from 'node:crypto';
import { setTimeout as rest } from 'node:timers/promises';
import type * as AcmeClient from 'acme-client';
import type { Client, Order } from 'acme-client';
import { z } from 'zod';
import type { HttpsFolder } from './keeper.ts';

/** Timeout of one request to the authority, in ms. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Waits between polls of a check or an order, in ms: two minutes in all. */
const POLL_WAITS_MS = [100, 200, 400, 800, 1_500, 3_000, ...Array.from({ length: 23 }, () => 5_000)];

type RefusalDetails = {
  /** The last part of the problem type (RFC 8555, section 6.7); '' if missing. */
  type: string;
  status: number;
  retryAfter: string | null;
  /** Name whose check failed; null if it wasn't a check. */
  domain: string | null;
};

/** The authority refused. */
export class AuthorityRefused extends Error {
  override name = 'AuthorityRefused';
  readonly details: RefusalDetails;
  constructor(detail: string, details: Pick<RefusalDetails, 'type'> & Partial<RefusalDetails>) {
    super(detail);
    this.details = { status: 200, retryAfter: null, domain: null, ...details };
  }
}

/** The authority didn't answer. */
export class AuthorityUnreachable extends Error {
  override name = 'AuthorityUnreachable';
}

type CertificateOrder = {
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
  const { directory, signal } = certificateOrder;
  const acme = await import('acme-client');
  // Makes refusals available with their type and `Retry-After`, which the library hides; it would also wait up to 90 s.
  Object.assign(acme.axios.defaults, { acmeSettings: { retryMaxAttempts: 0 } });
  const { request, response } = acme.axios.interceptors;
  const asked = request.use((config) => ({ ...config, signal, timeout: ANSWER_TIMEOUT_MS }));
  const answered = response.use(
    (answer) => {
      throwIfRefused(answer);
      return answer;
    },
    // The library fails on an error without a response, and its cause is lost at this point.
    () => Promise.reject(new AuthorityUnreachable(`no answer from ${directory}`)),
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
  const { directory, email, names, signal } = certificateOrder;
  const accountKey = await readAccountKey(acme, certificateOrder);
  const client = new acme.Client({ directoryUrl: directory, accountKey });
  // Finds the account of this key (RFC 8555, section 7.3.1). A known one isn't sent its e-mail address again: a new one that the
  // authority refuses would stop the renewals.
  await client.createAccount({ onlyReturnExisting: true }).catch(async (error: unknown) => {
    if (!(error instanceof AuthorityRefused) || error.details.type !== 'accountDoesNotExist') throw error;
    const contact = email === undefined ? {} : { contact: [`mailto:${email}`] };
    await client.createAccount({ termsOfServiceAgreed: true, ...contact });
  });
  const order = await client.createOrder({ identifiers: names.map((value) => ({ type: 'dns', value })) });
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
  const chain = await client.getCertificate(done);
  // Key and chain are in one text, so that they are replaced together.
  return `${key.toString().trim()}\n${chain.trim()}\n`;
}

const accountSchema = z.object({ directory: z.string(), key: z.string() });

/** Returns the key of the account, a new one at first. Accounts of several authorities exist side by side. */
async function readAccountKey(acme: Acme, { directory, folder }: CertificateOrder): Promise<string> {
  const file = `account-${createHash('sha256').update(directory).digest('hex').slice(0, 12)}.json`;
  const stored = await folder.readJson(file, accountSchema);
  if (stored !== null) return stored.key;
  const key = (await acme.crypto.createPrivateEcdsaKey()).toString();
  await folder.keep(file, JSON.stringify({ directory, key }));
  return key;
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
      const failed = now.find(({ status }) => status !== 'valid' && status !== 'pending');
      if (failed !== undefined)
        throw toRefusal(failed.challenges.find(({ error }) => error)?.error, failed.identifier.value);
      return now.every(({ status }) => status === 'valid') ? now : null;
    });
  } finally {
    for (const token of asked) answers.delete(token);
  }
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

const problemSchema = z
  .object({
    type: z.string().transform((type) => type.replace('urn:ietf:params:acme:error:', '')),
    detail: z.string().catch(''),
  })
  .catch({ type: '', detail: '' });

function toRefusal(error: unknown, domain: string | null): AuthorityRefused {
  const { type, detail } = problemSchema.parse(error);
  return new AuthorityRefused(detail, { type, domain });
}

/** Throws the refusal in a response; a stale nonce is left to the library, which repeats the request. */
function throwIfRefused({
  status,
  data,
  headers,
}: {
  status: number;
  data: unknown;
  headers: unknown;
}): void {
  if (status < 400) return;
  const { type, detail } = problemSchema.parse(data);
  if (type === 'badNonce') return;
  const read = z.object({ 'retry-after': z.string() }).safeParse(headers).data;
  const retryAfter = read?.['retry-after'] ?? null;
  throw new AuthorityRefused(detail === '' ? `HTTP ${status}` : detail, { type, status, retryAfter });
}
