import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createSecureContext, type SecureContext } from 'node:tls';
import { z } from 'zod';
import {
  type CertificateState,
  type CertificateTrouble,
  certificateSchema,
} from '../../contract/admin/site-address.ts';
import { certificateReady, certificateSentence } from '../../texts/certificate.ts';
import type { Deps } from '../deps.ts';
import { diskStorage } from '../storage/disk.ts';
import { FileMissing } from '../storage/storage.ts';
import { requestCertificate } from './authority.ts';
import { type LastRequest, nextRequestAt, requestTrouble, statedWait, type Validity } from './rules.ts';

type ManagerDeps = Pick<Deps, 'env' | 'log' | 'now'>;

/** Creates the manager from stored state if the server handles HTTPS itself, otherwise returns null. */
export async function createCertificateManager(deps: ManagerDeps): Promise<CertificateManager | null> {
  const { HTTPS_DOMAIN: names, DATA_DIR } = deps.env;
  if (names === undefined) return null;
  const manager = new CertificateManager(deps, names, await openHttpsFolder(DATA_DIR));
  await manager.load();
  return manager;
}

/** The certificate that the server requests, and the result of its requests. */
export class CertificateManager {
  readonly #deps: ManagerDeps;
  readonly #names: readonly string[];
  readonly #folder: HttpsFolder;
  readonly #answers = new Map<string, string>();
  readonly #stopping = new AbortController();
  readonly #listeners: ((sentence: string) => void)[] = [];
  /** The certificate served now; it is replaced without a restart. */
  #certificate: Certificate | null = null;
  /** Time and result of the last request to the authority. */
  #asked: LastRequest | null = null;
  #trouble: CertificateTrouble | null = null;
  #checking: Promise<void> | null = null;

  constructor(deps: ManagerDeps, names: readonly string[], folder: HttpsFolder) {
    this.#deps = deps;
    this.#names = names;
    this.#folder = folder;
  }

  /** Reads the stored state. That of other names or another authority is ignored. */
  async load(): Promise<void> {
    const stored = await this.#folder.readJson(MEMORY, memorySchema);
    const isSameOrder =
      stored?.directory === this.#deps.env.ACME_DIRECTORY && stored.names.join() === this.#names.join();
    if (isSameOrder) [this.#asked, this.#trouble] = [stored.asked, stored.trouble];
    const pem = await this.#folder.read(CERTIFICATE);
    try {
      if (pem !== null) this.#certificate = readCertificate(pem);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the certificate that was kept is damaged: a new one is asked for');
    }
  }

  state(): CertificateState {
    return {
      names: [...this.#names],
      valid_until: this.#certificate?.validity.until.toISOString() ?? null,
      next_try: isPortTrouble(this.#trouble) ? null : this.#nextTime().toISOString(),
      trouble: this.#trouble,
    };
  }

  /** Returns the TLS context for a connection to this name; null if the name is unknown or has no certificate. */
  contextFor(name: string): SecureContext | null {
    const certificate = this.#certificate;
    return this.#names.includes(name) && certificate?.isFor(name) ? certificate.context : null;
  }

  /** Returns true if there is a valid certificate. HTTP then redirects to HTTPS. */
  isGood(): boolean {
    return this.#certificate !== null && this.#deps.now() < this.#certificate.validity.until;
  }

  /** Returns the response to an open challenge of the authority, or null. */
  answerTo(token: string): string | null {
    return this.#answers.get(token) ?? null;
  }

  /**
   * Requests a certificate if one is due. A failure is stored and reported, never thrown.
   * @param blocked reason why a request is impossible: a port that can't be opened
   */
  look(blocked: CertificateTrouble | null): Promise<void> {
    this.#checking ??= this.#look(blocked).finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** Adds a listener that receives a sentence for the operator at each change. */
  onChange(listener: (sentence: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Aborts the current request. */
  stop(): void {
    this.#stopping.abort();
  }

  #nextTime(): Date {
    const certificate = this.#certificate;
    const isForAll = certificate !== null && this.#names.every((name) => certificate.isFor(name));
    return nextRequestAt(isForAll ? certificate.validity : null, this.#asked, this.#deps.now());
  }

  async #look(blocked: CertificateTrouble | null): Promise<void> {
    if (blocked !== null) {
      const isKnown = this.#trouble?.kind === blocked.kind && this.#trouble.port === blocked.port;
      if (!isKnown) this.#report(blocked, certificateSentence(blocked, null));
      return;
    }
    // The blocked port is open now.
    if (isPortTrouble(this.#trouble)) this.#trouble = null;
    if (this.#deps.now() >= this.#nextTime()) await this.#request();
  }

  async #request(): Promise<void> {
    const { ACME_DIRECTORY: directory, HTTPS_EMAIL: email } = this.#deps.env;
    const before = this.#asked;
    const failures = (before?.failures ?? 0) + 1;
    // Stored before the request, so that a process killed during it doesn't request again at each start.
    await this.#keep({ at: this.#deps.now(), failures, waitUntil: null });
    try {
      const pem = await requestCertificate({
        directory,
        email,
        names: this.#names,
        folder: this.#folder,
        answers: this.#answers,
        signal: this.#stopping.signal,
      });
      await this.#folder.keep(CERTIFICATE, pem);
      this.#certificate = readCertificate(pem);
      this.#report(null, certificateReady(this.#names, this.#certificate.validity.until));
      await this.#keep({ at: this.#deps.now(), failures: 0, waitUntil: null });
    } catch (error) {
      if (this.#stopping.signal.aborted) return this.#keep(before);
      this.#deps.log.warn({ err: error }, 'no certificate');
      const trouble = await requestTrouble(error);
      const now = this.#deps.now();
      await this.#keep({ at: now, failures, waitUntil: statedWait(error, now) }, trouble);
      this.#report(trouble, certificateSentence(trouble, this.#nextTime()));
    }
  }

  #report(trouble: CertificateTrouble | null, sentence: string): void {
    const isNews = trouble === null || JSON.stringify(trouble) !== JSON.stringify(this.#trouble);
    this.#trouble = trouble;
    const next = isPortTrouble(trouble) ? null : this.#nextTime();
    this.#deps.log[trouble === null ? 'info' : 'error']({ names: this.#names, trouble, next }, 'certificate');
    if (isNews) for (const listener of this.#listeners) listener(sentence);
  }

  /** Stores the last request and its trouble. */
  async #keep(asked: LastRequest | null, trouble = this.#trouble): Promise<void> {
    this.#asked = asked;
    const memory = {
      names: this.#names,
      directory: this.#deps.env.ACME_DIRECTORY,
      asked,
      trouble: isPortTrouble(trouble) ? null : trouble,
    };
    // A failed write is only logged: writing the certificate fails as well and is reported separately.
    await this.#folder.keep(MEMORY, JSON.stringify(memory)).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'when a certificate was asked for is not kept');
    });
  }
}

const isPortTrouble = (trouble: CertificateTrouble | null) => trouble !== null && trouble.port !== null;

/** A certificate with its key, ready to be served. */
type Certificate = {
  validity: Validity;
  /** Returns true if it is valid for this name. */
  isFor(name: string): boolean;
  context: SecureContext;
};

/** Reads a key with its chain. Throws if it isn't a certificate or if the key doesn't match. */
function readCertificate(pem: string): Certificate {
  const leaf = new X509Certificate(pem.slice(pem.indexOf('-----BEGIN CERTIFICATE')));
  return {
    validity: { from: leaf.validFromDate, until: leaf.validToDate },
    isFor: (name) => leaf.checkHost(name, { subject: 'never' }) !== undefined,
    context: createSecureContext({ key: pem, cert: pem }),
  };
}

const CERTIFICATE = 'certificate.pem';
const MEMORY = 'last.json';
const when = z.iso.datetime().transform((moment) => new Date(moment));
/** State that survives a restart, so that repeated starts don't exceed the authority's limits. */
const memorySchema = z.object({
  /** Names and authority of the last request; different ones are requested without a wait. */
  names: z.array(z.string()),
  directory: z.string(),
  asked: z.object({ at: when, failures: z.int().min(0), waitUntil: when.nullable() }).nullable(),
  trouble: certificateSchema.shape.trouble,
});

/** Content of `DATA_DIR/https`: files with mode 0600, written atomically. */
export type HttpsFolder = Awaited<ReturnType<typeof openHttpsFolder>>;

/** Opens the folder and creates it if missing. */
async function openHttpsFolder(dataDir: string) {
  const files = await diskStorage(join(dataDir, 'https'), { alone: true });
  const read = async (key: string): Promise<string | null> => {
    try {
      return await text(await files.read(key));
    } catch (error) {
      if (error instanceof FileMissing) return null;
      throw error;
    }
  };
  return {
    read,
    /** Unreadable content counts as missing. */
    async readJson<S extends z.ZodType>(key: string, schema: S): Promise<z.infer<S> | null> {
      const json = await read(key);
      try {
        return schema.parse(JSON.parse(json ?? ''));
      } catch {
        return null;
      }
    },
    async keep(key: string, content: string): Promise<void> {
      await files.put(key, Readable.from([content]));
    },
  };
}
