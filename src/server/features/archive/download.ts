import { PassThrough, type Readable } from 'node:stream';
import { ARCHIVE, PASSPHRASE_LENGTH } from '../../../domain/limits.ts';
import { isShortPassphrase } from '../../../domain/passphrase.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import { securityEvent } from '../../auth/security-events.ts';
import { openUnmigrated } from '../../db/beside.ts';
import type { Deps } from '../../deps.ts';
import { insertEvents } from '../../event-log/event-log.repo.ts';
import { publishChange } from '../../live/announce.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { countArchived } from './archive.repo.ts';
import { readSecrets, writeSealed } from './archive-file.ts';
import { downloadTicket } from './ticket.ts';

/** Returns the size of an archive and the time of the last download. */
export const archiveSummary = ({ db }: AdminCtx) => countArchived(db);

/**
 * Returns a path that is valid for a minute. The browser downloads it without holding it in memory, but can't send a
 * passphrase there.
 */
export function prepareDownload(
  { secret, now }: AdminCtx,
  { passphrase }: { passphrase: string },
): { path: string } | Refusal<'PASSPHRASE_SHORT' | 'PASSPHRASE_LONG'> {
  if (isShortPassphrase(passphrase)) return refuse('PASSPHRASE_SHORT');
  if ([...passphrase].length > PASSPHRASE_LENGTH.max) return refuse('PASSPHRASE_LONG');
  const ends = new Date(now().getTime() + ARCHIVE.downloadStartMs);
  return { path: `/api/admin/archive/${downloadTicket(secret, passphrase, ends)}` };
}

/**
 * Streams the encrypted archive while it is written, at the reader's pace. Reads over a separate connection, so it
 * blocks no request. An error destroys the stream.
 */
export async function archiveStream({ env, storage, now }: AdminCtx, passphrase: string): Promise<Readable> {
  const secrets = await readSecrets(env);
  const database = await openUnmigrated(env);
  const out = new PassThrough();
  writeSealed({ ...database, storage, secrets }, out, { passphrase, now: now() })
    .catch((error: Error) => out.destroy(error))
    .finally(() => database.close());
  return out;
}

/** Logs that a copy of all data was downloaded, as a security event. */
export async function logDownload(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  user_agent: string,
): Promise<void> {
  const event = { ...securityEvent('archive_downloaded', {}), user_agent };
  await deps.inTransaction((tx) => insertEvents(tx, [event], deps.now()));
  publishChange(deps, 'logs');
}
