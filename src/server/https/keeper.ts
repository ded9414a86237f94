import type { SecureContext } from 'node:tls';
import type { CertificateState, CertificateTrouble } from '../../contract/admin/certificate.ts';
import { certificateReady, certificateSentence } from '../../texts/certificate.ts';
import type { Deps } from '../deps.ts';
import { AuthorityRefused, requestCertificate } from './authority.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { type HttpsFolder, openHttpsFolder } from './https-folder.ts';
import { type LastRequestStore, openLastRequestStore } from './last-asked.ts';
import { nextRequestAt, retryAfterDate } from './rules.ts';
import { requestTrouble } from './trouble.ts';

type KeeperDeps = Pick<Deps, 'env' | 'log' | 'now'>;

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
  onChange(told: (sentence: string) => void): void;
  /** Aborts the current request. */
  stop(): void;
};

/** Creates the manager from stored state if the server handles HTTPS itself, otherwise returns null. */
export async function createCertificateManager(deps: KeeperDeps): Promise<CertificateManager | null> {
  const { HTTPS_DOMAIN: names, DATA_DIR } = deps.env;
  return names === undefined ? null : createKeeper(deps, names, await openHttpsFolder(DATA_DIR));
}

async function createKeeper(
  deps: KeeperDeps,
  names: readonly string[],
  folder: HttpsFolder,
): Promise<CertificateManager> {
  const last = await openLastRequestStore(folder, { names, directory: deps.env.ACME_DIRECTORY }, deps.log);
  const served: Served = { certificate: await keptCertificate(folder, deps.log) };
  const { look, nextTime, ...asker } = createAsker(deps, { names, folder, last, served });
  let looking: Promise<void> | null = null;
  return {
    ...asker,
    state: () => ({
      names: [...names],
      valid_until: served.certificate?.life.until.toISOString() ?? null,
      next_try: isOfPort(last.trouble()) ? null : nextTime().toISOString(),
      trouble: last.trouble(),
    }),
    contextFor(name) {
      const { certificate } = served;
      return names.includes(name) && certificate?.isFor(name) ? certificate.context : null;
    },
    isGood: () => served.certificate !== null && deps.now() < served.certificate.life.until,
    look: (blocked) => {
      looking ??= look(blocked).finally(() => {
        looking = null;
      });
      return looking;
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

type Asker = Pick<CertificateManager, 'look' | 'answerTo' | 'onChange' | 'stop'> & { nextTime(): Date };

/** Creates the part that requests certificates and reports the results. */
function createAsker(
  { env, log, now }: KeeperDeps,
  { names, folder, last, served }: CertificateContext,
): Asker {
  const answers = new Map<string, string>();
  const stopping = new AbortController();
  const listeners: ((sentence: string) => void)[] = [];
  const nextTime = () => {
    const isForAll = names.every((name) => served.certificate?.isFor(name));
    return nextRequestAt(isForAll ? (served.certificate?.life ?? null) : null, last.asked(), now());
  };
  const tell = (trouble: CertificateTrouble | null, sentence: string) => {
    const isNews = last.setTrouble(trouble) || trouble === null;
    const next = isOfPort(trouble) ? null : nextTime();
    log[trouble === null ? 'info' : 'error']({ names, trouble, next }, 'certificate');
    if (isNews) for (const told of listeners) told(sentence);
  };
  const ask = async () => {
    const before = last.asked();
    const failures = (before?.failures ?? 0) + 1;
    // Stored before the request, so that a process killed during it doesn't request again at each start.
    await last.keep({ at: now(), failures, waitUntil: null });
    try {
      const asking = { directory: env.ACME_DIRECTORY, email: env.HTTPS_EMAIL, names, folder, answers };
      const pem = await requestCertificate({ ...asking, signal: stopping.signal });
      await folder.keepCertificate(pem);
      served.certificate = readCertificate(pem);
      tell(null, certificateReady(names, served.certificate.life.until));
      await last.keep({ at: now(), failures: 0, waitUntil: null });
    } catch (error) {
      if (stopping.signal.aborted) return last.keep(before);
      log.warn({ err: error }, 'no certificate');
      const trouble = await requestTrouble(error);
      const asked = { at: now(), failures, waitUntil: waitSaid(error, now()) };
      await last.keep(asked, trouble);
      tell(trouble, certificateSentence(trouble, nextTime()));
    }
  };
  return {
    nextTime,
    answerTo: (token) => answers.get(token) ?? null,
    onChange: (told) => void listeners.push(told),
    stop: () => stopping.abort(),
    async look(blocked) {
      if (blocked !== null) {
        if (!isSamePort(last.trouble(), blocked)) tell(blocked, certificateSentence(blocked, null));
        return;
      }
      // The blocked port is open now.
      if (isOfPort(last.trouble())) last.setTrouble(null);
      if (now() >= nextTime()) await ask();
    },
  };
}

const isOfPort = (trouble: CertificateTrouble | null) => trouble !== null && trouble.port !== null;

const isSamePort = (trouble: CertificateTrouble | null, other: CertificateTrouble) =>
  trouble?.kind === other.kind && trouble.port === other.port;

async function keptCertificate(folder: HttpsFolder, log: Deps['log']): Promise<Certificate | null> {
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
function waitSaid(error: unknown, now: Date): Date | null {
  return error instanceof AuthorityRefused ? retryAfterDate(error.retryAfter, now) : null;
}
