import type { SecureContext } from 'node:tls';
import type { CertificateState, CertificateTrouble } from '../../contract/admin/site-address.ts';
import { certificateReady, certificateSentence } from '../../texts/certificate.ts';
import type { Deps } from '../deps.ts';
import { AuthorityRefused, requestCertificate } from './authority.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { type HttpsFolder, openHttpsFolder } from './https-folder.ts';
import { type LastRequestStore, openLastRequestStore } from './last-asked.ts';
import { nextRequestAt, retryAfterDate } from './rules.ts';
import { requestTrouble } from './trouble.ts';

type ManagerDeps = Pick<Deps, 'env' | 'log' | 'now'>;

/** The certificate that the server requests, and the result of its requests. */
export type CertificateManager = {
  state(): CertificateState;
  /** Returns the TLS context for a connection to this name; null if the name is unknown or has no certificate. */
  contextFor(name: string): SecureContext | null;
  /** Returns true if there is a valid certificate. HTTP then redirects to HTTPS. */
  isGood(): boolean;
  /** Returns the response to an open challenge of the authority, or null. */
  answerTo(token: string): string | null;
  /**
   * Requests a certificate if one is due. A failure is stored and reported, never thrown.
   * @param blocked reason why a request is impossible: a port that can't be opened
   */
  look(blocked: CertificateTrouble | null): Promise<void>;
  /** Adds a listener that receives a sentence for the operator at each change. */
  onChange(listener: (sentence: string) => void): void;
  /** Aborts the current request. */
  stop(): void;
};

/** Creates the manager from stored state if the server handles HTTPS itself, otherwise returns null. */
export async function createCertificateManager(deps: ManagerDeps): Promise<CertificateManager | null> {
  const { HTTPS_DOMAIN: names, DATA_DIR } = deps.env;
  return names === undefined ? null : openManager(deps, names, await openHttpsFolder(DATA_DIR));
}

async function openManager(
  deps: ManagerDeps,
  names: readonly string[],
  folder: HttpsFolder,
): Promise<CertificateManager> {
  const last = await openLastRequestStore(folder, { names, directory: deps.env.ACME_DIRECTORY }, deps.log);
  const served: Served = { certificate: await readStoredCertificate(folder, deps.log) };
  const { look, nextTime, ...requester } = createRequester(deps, { names, folder, last, served });
  let checking: Promise<void> | null = null;
  return {
    ...requester,
    state: () => ({
      names: [...names],
      valid_until: served.certificate?.validity.until.toISOString() ?? null,
      next_try: isPortTrouble(last.trouble()) ? null : nextTime().toISOString(),
      trouble: last.trouble(),
    }),
    contextFor(name) {
      const { certificate } = served;
      return names.includes(name) && certificate?.isFor(name) ? certificate.context : null;
    },
    isGood: () => served.certificate !== null && deps.now() < served.certificate.validity.until,
    look: (blocked) => {
      checking ??= look(blocked).finally(() => {
        checking = null;
      });
      return checking;
    },
  };
}

/** The certificate served now; it is replaced without a restart. */
type Served = { certificate: Certificate | null };

type CertificateContext = {
  names: readonly string[];
  folder: HttpsFolder;
  last: LastRequestStore;
  served: Served;
};

type Requester = Pick<CertificateManager, 'look' | 'answerTo' | 'onChange' | 'stop'> & { nextTime(): Date };

/** Creates the part that requests certificates and reports the results. */
function createRequester(
  { env, log, now }: ManagerDeps,
  { names, folder, last, served }: CertificateContext,
): Requester {
  const answers = new Map<string, string>();
  const stopping = new AbortController();
  const listeners: ((sentence: string) => void)[] = [];
  const nextTime = () => {
    const isForAll = names.every((name) => served.certificate?.isFor(name));
    return nextRequestAt(isForAll ? (served.certificate?.validity ?? null) : null, last.asked(), now());
  };
  const report = (trouble: CertificateTrouble | null, sentence: string) => {
    const isNews = last.setTrouble(trouble) || trouble === null;
    const next = isPortTrouble(trouble) ? null : nextTime();
    log[trouble === null ? 'info' : 'error']({ names, trouble, next }, 'certificate');
    if (isNews) for (const listener of listeners) listener(sentence);
  };
  const request = async () => {
    const before = last.asked();
    const failures = (before?.failures ?? 0) + 1;
    // Stored before the request, so that a process killed during it doesn't request again at each start.
    await last.keep({ at: now(), failures, waitUntil: null });
    try {
      const order = { directory: env.ACME_DIRECTORY, email: env.HTTPS_EMAIL, names, folder, answers };
      const pem = await requestCertificate({ ...order, signal: stopping.signal });
      await folder.keepCertificate(pem);
      served.certificate = readCertificate(pem);
      report(null, certificateReady(names, served.certificate.validity.until));
      await last.keep({ at: now(), failures: 0, waitUntil: null });
    } catch (error) {
      if (stopping.signal.aborted) return last.keep(before);
      log.warn({ err: error }, 'no certificate');
      const trouble = await requestTrouble(error);
      const lastRequest = { at: now(), failures, waitUntil: statedWait(error, now()) };
      await last.keep(lastRequest, trouble);
      report(trouble, certificateSentence(trouble, nextTime()));
    }
  };
  return {
    nextTime,
    answerTo: (token) => answers.get(token) ?? null,
    onChange: (listener) => void listeners.push(listener),
    stop: () => stopping.abort(),
    async look(blocked) {
      if (blocked !== null) {
        if (!isSamePort(last.trouble(), blocked)) report(blocked, certificateSentence(blocked, null));
        return;
      }
      // The blocked port is open now.
      if (isPortTrouble(last.trouble())) last.setTrouble(null);
      if (now() >= nextTime()) await request();
    },
  };
}

const isPortTrouble = (trouble: CertificateTrouble | null) => trouble !== null && trouble.port !== null;

const isSamePort = (trouble: CertificateTrouble | null, other: CertificateTrouble) =>
  trouble?.kind === other.kind && trouble.port === other.port;

async function readStoredCertificate(folder: HttpsFolder, log: Deps['log']): Promise<Certificate | null> {
  const pem = await folder.certificate();
  if (pem === null) return null;
  try {
    return readCertificate(pem);
  } catch (error) {
    log.warn({ err: error }, 'the certificate that was kept is damaged: a new one is asked for');
    return null;
  }
}

/** Returns the time until which the authority wants the client to wait, if stated. */
function statedWait(error: unknown, now: Date): Date | null {
  return error instanceof AuthorityRefused ? retryAfterDate(error.retryAfter, now) : null;
}
