import { createHash, randomUUID } from 'node:crypto';
import type { ProbeResults } from '../../../domain/readiness-probes.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/announce.ts';
import { findConfig } from '../config/config.repo.ts';
import { type CheckedSnapshot, createSnapshot } from '../visit/snapshot.ts';
import { phoneVersions, saveCompleted } from './rehearsal.repo.ts';
import type { Spectator } from './spectator.ts';

/** Which evening it is that she would see: another one as soon as anything of it changes. What is made of the film by itself is no change. */
export function contentVersion({
  light_url: _light,
  video_bitrate: _bitrate,
  ...seen
}: CheckedSnapshot): string {
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 32);
}

type Seen = { version: string; phone: boolean; user_agent: string };

/** Keeps that a rehearsal was seen to its end: where, when, and of which evening. */
export async function recordCompleted(
  { inTransaction, now, live, log }: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  _spectator: Spectator,
  seen: Seen,
): Promise<void> {
  await inTransaction((tx) => saveCompleted(tx, { id: randomUUID(), at: now().toISOString(), ...seen }));
  publishChange({ live, log }, 'ready');
}

/** Was the evening as it is now seen to its end on a phone? */
export async function rehearsalStatus(db: Db): Promise<ProbeResults['rehearsal']> {
  const row = await findConfig(db);
  const versions = await phoneVersions(db);
  if (row === undefined || versions.length === 0) return 'never';
  return versions.includes(contentVersion(await createSnapshot(db, row))) ? 'seen' : 'old';
}
