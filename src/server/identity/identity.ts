import { createHmac, randomUUID } from 'node:crypto';
import {
  loadConfiguredSecret,
  SECRET_NAMES,
  type SecretEnv,
  secretFile,
  secretText,
  secretVariable,
} from '../auth/secrets.ts';
import type { Db, InstallIdentityTable } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import { storageName } from '../storage/open.ts';

type IdentityDeps = Pick<Deps, 'db' | 'inTransaction' | 'env' | 'storage'>;

/** This node's secrets or storage are not those of the database's install. The message contains the remedy. */
class AnotherInstall extends Error {
  override name = 'AnotherInstall';
}

const MOVED_HINT =
  'or, if they were changed on purpose, stop every node and run: sorpresa moved (in a checkout: npm run moved)';

/**
 * Rejects with `AnotherInstall` if this node would use other secrets or files than the other nodes. The first node sets them: an id in
 * storage and database, and a fingerprint of the secrets; paths don't matter. With SQLite and files on one machine nothing is checked,
 * because both are in one folder.
 */
export async function requireSameInstall(deps: IdentityDeps): Promise<void> {
  if (deps.env.DATABASE_URL === undefined && deps.storage.isOnDisk) return;
  const { install, secrets, storage } = await readOrCreateInstall(deps);
  if (secrets !== (await fingerprint(deps.env)))
    throw new AnotherInstall(
      `This node's secrets are not those of the database's other nodes: copy ${files(deps.env)} from one that runs, or set ${VARIABLES} as it has them; ${MOVED_HINT}`,
    );
  const there = await (storage === null ? claimStorageId(deps, install) : deps.storage.identity.find());
  const wanted = storage ?? (await findInstall(deps.db))?.storage ?? null;
  if (there !== wanted) throw new AnotherInstall(otherStorage(deps, there));
}

/** Returns the identity row, which the first node creates. Secrets are created only for an unused database. */
async function readOrCreateInstall({ db, inTransaction, env }: IdentityDeps): Promise<InstallIdentityTable> {
  const existing = await findInstall(db);
  if (existing !== undefined) return existing;
  const secrets = await createFingerprint(env);
  await inTransaction((tx) => claimInstall(tx, { install: randomUUID(), secrets, storage: null }));
  const row = await findInstall(db);
  if (row === undefined) throw new TypeError('What was written is not there');
  return row;
}

/** The first two nodes with a storage each write an id into it, and the database accepts one. Returns the id in this storage. */
async function claimStorageId({ inTransaction, storage }: IdentityDeps, install: string): Promise<string> {
  const there = await storage.identity.claim(`${install} ${randomUUID()}`);
  if (there.startsWith(`${install} `)) await inTransaction((tx) => claimStorage(tx, there));
  return there;
}

function otherStorage({ env }: IdentityDeps, there: string | null): string {
  const where = storageName(env);
  const reason =
    there === null
      ? `${where} has never held this database's files`
      : `${where} holds the files of another database, or was copied before they moved`;
  return `The storage is not the one of this database: ${reason}. Correct DATA_DIR or S3_…; ${MOVED_HINT}`;
}

/**
 * Stores the configured secrets and storage as the install's. Does nothing if one machine has both.
 * @returns location of the files for messages; null if there was nothing to do
 */
export async function declareMoved(deps: IdentityDeps): Promise<string | null> {
  if (deps.env.DATABASE_URL === undefined && deps.storage.isOnDisk) return null;
  const { install } = await readOrCreateInstall(deps);
  const storage = `${install} ${randomUUID()}`;
  // A crash after the first of these writes leaves a node that refuses to start until the command is repeated.
  await deps.storage.identity.replace(storage);
  const secrets = await createFingerprint(deps.env);
  await deps.inTransaction((tx) =>
    tx.updateTable('install_identity').set({ secrets, storage }).where('id', '=', ID).execute(),
  );
  return storageName(deps.env);
}

/** Returns the fingerprint, or null if a secret is missing. It is keyed by the secrets, 32 random bytes each, and reveals nothing. */
async function fingerprint(env: SecretEnv): Promise<string | null> {
  const texts = await Promise.all(SECRET_NAMES.map((name) => secretText(env, name)));
  return texts.includes(null) ? null : createFingerprint(env);
}

async function createFingerprint(env: SecretEnv): Promise<string> {
  const secrets = await Promise.all(SECRET_NAMES.map((name) => loadConfiguredSecret(env, name)));
  return createHmac('sha256', Buffer.concat(secrets)).update('which install').digest('hex');
}

const files = ({ DATA_DIR }: SecretEnv) =>
  SECRET_NAMES.map((name) => secretFile(DATA_DIR, name)).join(' and ');
const VARIABLES = SECRET_NAMES.map(secretVariable).join(' and ');

const ID = 1;

/** Returns the identity of the database, or undefined before the first node has started. */
function findInstall(db: Db): Promise<InstallIdentityTable | undefined> {
  return db.selectFrom('install_identity').selectAll().where('id', '=', ID).executeTakeFirst();
}

/** Stores the identity if there is none. Of concurrent calls the first succeeds. */
async function claimInstall(tx: Db, row: Omit<InstallIdentityTable, 'id'>): Promise<void> {
  await tx
    .insertInto('install_identity')
    .values({ id: ID, ...row })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Stores the install's storage if none is stored. */
async function claimStorage(tx: Db, storage: string): Promise<void> {
  await tx
    .updateTable('install_identity')
    .set({ storage })
    .where('id', '=', ID)
    .where('storage', 'is', null)
    .execute();
}
