import { createHash, randomUUID } from 'node:crypto';
import type { ProbeResults } from '../../../domain/readiness-probes.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/announce.ts';
import { findConfig } from '../config/config.repo.ts';
import { type CheckedSnapshot, createSnapshot } from '../visit/snapshot.ts';
import { phoneVersions, saveCompleted } from './rehearsal.repo.ts';
import type { Spectator } from './spectator.ts';

/** Returns a hash of the visitor's content. Excludes the film's light version and bitrate: the server derives them automatically. */
export function contentVersion({
  light_url: _light,
  video_bitrate: _bitrate,
  ...seen
}: CheckedSnapshot): string {
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 32);
}

type Seen = { version: string; phone: boolean; user_agent: string };

/** Records that a rehearsal was watched to its end, with its time, device and content version. */
export async function recordCompleted(
  { inTransaction, now, live, log }: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  _spectator: Spectator,
  seen: Seen,
): Promise<void> {
  await inTransaction((tx) => saveCompleted(tx, { id: randomUUID(), at: now().toISOString(), ...seen }));
  publishChange({ live, log }, 'ready');
}

/** Returns 'seen' if the current content was watched to its end on a phone, 'old' if only earlier content was. */
export async function rehearsalStatus(db: Db): Promise<ProbeResults['rehearsal']> {
  const row = await findConfig(db);
  const versions = await phoneVersions(db);
  if (row === undefined || versions.length === 0) return 'never';
  return versions.includes(contentVersion(await createSnapshot(db, row))) ? 'seen' : 'old';
}
