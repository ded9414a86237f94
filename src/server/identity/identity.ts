import { createHmac, randomUUID } from 'node:crypto';
import {
  loadConfiguredSecret,
  SECRET_NAMES,
  type SecretEnv,
  secretFile,
  secretText,
  secretVariable,
} from '../auth/secrets.ts';
import type { Deps } from '../deps.ts';
import { storageName } from '../storage/open.ts';
import type { Storage } from '../storage/storage.ts';
import { claimInstall, claimStorage, findInstall, type InstallRow, moveInstall } from './identity.repo.ts';

type IdentityDeps = Pick<Deps, 'db' | 'inTransaction' | 'env'> & { storage: Storage };

/** This node's secrets, or its storage, are not those of the database's install. Its message says what to do. */
export class AnotherInstall extends Error {
  override name = 'AnotherInstall';
}

const MOVED =
  'or, if they were changed on purpose, stop every node and run: sorpresa moved (in a checkout: npm run moved)';

/**
 * Refuses a node that would work beside the others with other secrets or other files: known by a number that is kept in the storage and in the
 * database, and by a fingerprint of the secrets, and not by any path. The first node that starts says what they are. On one machine alone, database and files are in one
 * folder, and nothing is asked. Throws `AnotherInstall`.
 */
export async function requireSameInstall(deps: IdentityDeps): Promise<void> {
  if (deps.env.DATABASE_URL === undefined && deps.storage.isOnDisk) return;
  const { install, secrets, storage } = await ownInstall(deps);
  if (secrets !== (await fingerprint(deps.env)))
    throw new AnotherInstall(
      `This node's secrets are not those of the database's other nodes: copy ${files(deps.env)} from one that runs, or set ${VARIABLES} as it has them; ${MOVED}`,
    );
  const found =
    storage === null
      ? await claim(deps, install)
      : { wanted: storage, there: await deps.storage.identity.find() };
  if (found.there !== found.wanted) throw new AnotherInstall(otherStorage(deps, found.there));
}

/** The row, which the first node writes. Secrets are only made for a database that nobody has used. */
async function ownInstall({ db, inTransaction, env }: IdentityDeps): Promise<InstallRow> {
  const known = await findInstall(db);
  if (known !== undefined) return known;
  const secrets = await madeFingerprint(env);
  await inTransaction((tx) => claimInstall(tx, { install: randomUUID(), secrets, storage: null }));
  const row = await findInstall(db);
  if (row === undefined) throw new TypeError('What was written is not there');
  return row;
}

/** The first two that have a storage each write into theirs, and the database takes one of them. */
async function claim({ db, inTransaction, storage }: IdentityDeps, install: string) {
  const there = await storage.identity.claim(`${install} ${randomUUID()}`);
  if (there.startsWith(`${install} `)) await inTransaction((tx) => claimStorage(tx, there));
  return { wanted: (await findInstall(db))?.storage ?? null, there };
}

function otherStorage({ env }: IdentityDeps, there: string | null): string {
  const where = storageName(env);
  const what =
    there === null
      ? `${where} has never held this database's files`
      : `${where} holds the files of another database, or was copied before they moved`;
  return `The storage is not the one of this database: ${what}. Correct DATA_DIR or S3_…; ${MOVED}`;
}

/**
 * Takes secrets and storage as they are set here for the install's own from now on. Nothing where one machine has both.
 * @returns where the files are now, for people; null where there was nothing to do
 */
export async function declareMoved(deps: IdentityDeps): Promise<string | null> {
  if (deps.env.DATABASE_URL === undefined && deps.storage.isOnDisk) return null;
  const { install } = await ownInstall(deps);
  const storage = `${install} ${randomUUID()}`;
  // A crash after the first of the two leaves a node that refuses to start, and this to be done again.
  await deps.storage.identity.replace(storage);
  const secrets = await madeFingerprint(deps.env);
  await deps.inTransaction((tx) => moveInstall(tx, { install, secrets, storage }));
  return storageName(deps.env);
}

/** Keyed by the secrets themselves, 32 random bytes each: it tells nothing of them. Null where one is missing. */
async function fingerprint(env: SecretEnv): Promise<string | null> {
  const texts = await Promise.all(SECRET_NAMES.map((name) => secretText(env, name)));
  return texts.includes(null) ? null : madeFingerprint(env);
}

async function madeFingerprint(env: SecretEnv): Promise<string> {
  const secrets = await Promise.all(SECRET_NAMES.map((name) => loadConfiguredSecret(env, name)));
  return createHmac('sha256', Buffer.concat(secrets)).update('which install').digest('hex');
}

const files = ({ DATA_DIR }: SecretEnv) =>
  SECRET_NAMES.map((name) => secretFile(DATA_DIR, name)).join(' and ');
const VARIABLES = SECRET_NAMES.map(secretVariable).join(' and ');
