import { PassThrough, type Readable } from 'node:stream';
import { ARCHIVE, PASSPHRASE_LENGTH } from '../../../domain/limits.ts';
import { isShortPassphrase } from '../../../domain/passphrase.ts';
import type { AdminActor } from '../../auth/actor.ts';
import { securityEvent } from '../../auth/security-events.ts';
import { openUnmigrated } from '../../db/beside.ts';
import type { Deps } from '../../deps.ts';
import { insertEvents } from '../../event-log/event-log.repo.ts';
import { publishChange } from '../../live/announce.ts';
import type { Refusal } from '../../refused.ts';
import { countArchived } from './archive.repo.ts';
import { readSecrets, writeSealed } from './archive-file.ts';
import { downloadTicket } from './ticket.ts';

/** What an archive would hold, and when one was last taken. */
export const archiveSummary = ({ db }: Pick<Deps, 'db'>, _actor: AdminActor) => countArchived(db);

/** Where the archive can be fetched, for a minute: the browser's own download keeps nothing of it in memory, but says no passphrase. */
export function prepareDownload(
  { secret, now }: Pick<Deps, 'secret' | 'now'>,
  _actor: AdminActor,
  passphrase: string,
): { path: string } | Refusal<'PASSPHRASE_SHORT' | 'PASSPHRASE_LONG'> {
  if (isShortPassphrase(passphrase)) return { refused: 'PASSPHRASE_SHORT' };
  if ([...passphrase].length > PASSPHRASE_LENGTH.max) return { refused: 'PASSPHRASE_LONG' };
  const ends = new Date(now().getTime() + ARCHIVE.ticketMs);
  return { path: `/api/admin/archive/${downloadTicket(secret, passphrase, ends)}` };
}

/**
 * The archive, sealed, as it is written: at the pace of whoever reads it. It is read beside everything else, on a connection of its own; nobody
 * waits for it. What can't be read breaks the stream off.
 */
export async function archiveStream(
  { env, storage, now }: Pick<Deps, 'env' | 'storage' | 'now'>,
  _actor: AdminActor,
  passphrase: string,
): Promise<Readable> {
  const secrets = await readSecrets(env);
  const database = await openUnmigrated(env);
  const out = new PassThrough();
  writeSealed({ ...database, storage, secrets }, out, { passphrase, now: now() })
    .catch((error: Error) => out.destroy(error))
    .finally(() => database.close());
  return out;
}

/** Notes that a copy of everything has left: somebody may have to know of it one day. */
export async function logDownload(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  user_agent: string,
): Promise<void> {
  const event = { ...securityEvent('archive_downloaded', {}), user_agent };
  await deps.inTransaction((tx) => insertEvents(tx, [event], deps.now()));
  publishChange(deps, 'logs');
}
