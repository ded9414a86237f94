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

/** The certificate that the product asks for by itself, and what became of asking. */
export type CertificateManager = {
  state(): CertificateState;
  /** What a connection that asks for this name is served; null: nothing, it isn't ours or there is no certificate for it. */
  contextFor(name: string): SecureContext | null;
  /** Is there one, and is it good? Then http leads to https. */
  isGood(): boolean;
  /** What the authority is answered to a question of its own that is open now. */
  answerTo(token: string): string | null;
  /**
   * Asks the authority if it is time. A failure is remembered and told, never thrown.
   * @param blocked why it can't be asked: a port isn't ours
   */
  look(blocked: CertificateTrouble | null): Promise<void>;
  /** Told of whatever changes, in a sentence for whoever runs the product. */
  onChange(told: (sentence: string) => void): void;
  /** Lets go of what is being asked. */
  stop(): void;
};

/** Where the product does https itself: opens what is kept of it. Null where it doesn't. */
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

/** What is served now; another one takes its place without anybody noticing. */
type Served = { certificate: Certificate | null };

type CertificateContext = {
  names: readonly string[];
  folder: HttpsFolder;
  last: LastRequestStore;
  served: Served;
};

type Asker = Pick<CertificateManager, 'look' | 'answerTo' | 'onChange' | 'stop'> & { nextTime(): Date };

/** The part that asks, and tells what became of it. */
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
    // Before, so that a process that is killed while it asks doesn't ask again at each start.
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
      // It was a port, and it is ours now.
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

/** When the authority wants to be asked again, where it said so. */
function waitSaid(error: unknown, now: Date): Date | null {
  return error instanceof AuthorityRefused ? retryAfterDate(error.retryAfter, now) : null;
}
