import { createHash, randomUUID } from 'node:crypto';
import type { ProbeResults } from '../../../domain/ready-tried.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../../live/announce.ts';
import { findConfig } from '../config/config.repo.ts';
import { type CheckedSnapshot, takeSnapshot } from '../visit/snapshot.ts';
import { keepSeen, phoneVersions } from './rehearsal.repo.ts';
import type { Spectator } from './spectator.ts';

/** Which evening it is that she would see: another one as soon as anything of it changes. What is made of the film by itself is no change. */
export function versionOf({ light_url: _light, video_bitrate: _bitrate, ...seen }: CheckedSnapshot): string {
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 32);
}

type Seen = { version: string; phone: boolean; user_agent: string };

/** Keeps that a rehearsal was seen to its end: where, when, and of which evening. */
export async function noteSeen(
  { inTransaction, now, live, log }: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  _spectator: Spectator,
  seen: Seen,
): Promise<void> {
  await inTransaction((tx) => keepSeen(tx, { id: randomUUID(), at: now().toISOString(), ...seen }));
  announce({ live, log }, 'ready');
}

/** Was the evening as it is now seen to its end on a phone? */
export async function rehearsedSince(db: Db): Promise<ProbeResults['rehearsal']> {
  const row = await findConfig(db);
  const versions = await phoneVersions(db);
  if (row === undefined || versions.length === 0) return 'never';
  return versions.includes(versionOf(await takeSnapshot(db, row))) ? 'seen' : 'old';
}
