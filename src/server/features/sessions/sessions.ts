import type { InferContractRouterOutputs } from '@orpc/contract';
import type { SessionRecord } from '../../../contract/admin/logs.ts';
import type { contract } from '../../../contract/contract.ts';
import { readCapabilities } from '../../../contract/visit.ts';
import { type VisitSummary, visitState } from '../../../domain/evening.ts';
import { EXIT_POINTS } from '../../../domain/itinerary.ts';
import { LIST_SIZES } from '../../../domain/limits.ts';
import { stageContent } from '../../../domain/stage-content.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import { calls } from '../../http/calls.ts';
import type { SessionRow } from '../visit/sessions.repo.ts';
import { loadVisitPlan } from '../visit/snapshot.ts';

export const sessionsCalls = calls(adminCalls.sessions, { list: listSessions });

type Output = InferContractRouterOutputs<typeof contract>['admin']['sessions']['list'];

/** Returns all open sessions and the newest ended ones, sorted by start (spec 2 «Active sessions», spec 7). */
export async function listSessions({ db, now }: AdminCtx): Promise<Output> {
  const [[attive, terminate], ended] = await Promise.all([readSessions(db, now()), countEnded(db)]);
  return { attive, terminate, conteggi: { attive: attive.length, terminate: ended } };
}

/** Returns these visits for the phase of the surprise, for callers without an administrator. */
export async function knownVisits(db: Db, now: Date): Promise<VisitSummary[]> {
  return (await readSessions(db, now)).flat();
}

async function readSessions(db: Db, now: Date): Promise<[open: SessionRecord[], ended: SessionRecord[]]> {
  const [open, ended] = await Promise.all([listOpen(db), listEnded(db, LIST_SIZES.endedSessions)]);
  // Each snapshot is read once: visits with the same configuration share it.
  const hashes = [...new Set([...open, ...ended].map(({ snapshot_hash }) => snapshot_hash))];
  const stages = new Map(
    await Promise.all(hashes.map(async (hash) => [hash, await stagesOf(db, hash)] as const)),
  );
  const record = (row: ListedRow) => recordOf(row, stages.get(row.snapshot_hash) ?? [], now);
  return [open.map(record), ended.map(record)];
}

/** Returns [] for an unreadable snapshot, so that the other visits stay visible. */
async function stagesOf(db: Db, snapshot_hash: string): Promise<SessionRecord['stages']> {
  try {
    const { snapshot, steps } = await loadVisitPlan(db, { snapshot_hash });
    return steps.map((step) => {
      const content = stageContent(snapshot, step, new Map());
      return { ...step, frasi: 'frasi' in content ? content.frasi.length : null };
    });
  } catch {
    return [];
  }
}

function recordOf(row: ListedRow, stages: SessionRecord['stages'], now: Date): SessionRecord {
  const { snapshot_hash: _hash, background_at, step, phrase, second, ...shown } = row;
  return {
    ...shown,
    exit_point: EXIT_POINTS.find((known) => known === row.exit_point) ?? null,
    state: visitState(row, now),
    background: background_at !== null,
    stages,
    position: { step, phrase, second },
    capabilities: row.capabilities === null ? null : readCapabilities(row.capabilities),
  };
}

/** Columns that the administrator's list uses. The cookie's hash and the attempt are never selected. */
const LISTED_COLUMNS = [
  'id',
  'token_value',
  'device_id',
  'user_agent',
  'is_active',
  'started_at',
  'last_activity',
  'disconnected_at',
  'disconnection_reason',
  'completed_at',
  'exit_point',
  'background_at',
  'snapshot_hash',
  'step',
  'phrase',
  'second',
  'capabilities',
] as const;
type ListedRow = Pick<SessionRow, (typeof LISTED_COLUMNS)[number]>;

const newestFirst = (db: Db, is_active: boolean) =>
  db
    .selectFrom('active_sessions')
    .select(LISTED_COLUMNS)
    .where('is_active', '=', is_active)
    .orderBy('started_at', 'desc')
    .orderBy('id');

export async function listOpen(db: Db): Promise<ListedRow[]> {
  return newestFirst(db, true).execute();
}

export async function listEnded(db: Db, limit: number): Promise<ListedRow[]> {
  return newestFirst(db, false).limit(limit).execute();
}

/** Returns the number of ended visits: all visits minus the open ones, in one query. */
export async function countEnded(db: Db): Promise<number> {
  const { all, open } = await db
    .selectFrom('visits_by_day')
    .select((eb) => [
      eb.fn.sum('visite').as('all'),
      eb
        .selectFrom('active_sessions')
        .select((inner) => inner.fn.countAll().as('count'))
        .where('is_active', '=', true)
        .as('open'),
    ])
    .executeTakeFirstOrThrow();
  return Number(all ?? 0) - Number(open ?? 0);
}
