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
import { loadVisitPlan } from '../visit/snapshot.ts';
import { countEnded, type ListedRow, listEnded, listOpen } from './sessions.repo.ts';

export const sessionsCalls = calls(adminCalls.sessions, { list: listSessions });

type Output = InferContractRouterOutputs<typeof contract>['admin']['sessions']['list'];
type Stages = SessionRecord['stages'];

/** Returns all open sessions and the newest ended ones, sorted by start (spec 2 «Active sessions», spec 7). */
export async function listSessions({ db, now }: AdminCtx): Promise<Output> {
  const [open, ended, terminate] = await Promise.all([
    listOpen(db),
    listEnded(db, LIST_SIZES.endedSessions),
    countEnded(db),
  ]);
  const stages = await stagesByHash(db, [...open, ...ended]);
  const moment = now();
  const record = (row: ListedRow) => recordOf(row, stages.get(row.snapshot_hash) ?? [], moment);
  return {
    attive: open.map(record),
    terminate: ended.map(record),
    conteggi: { attive: open.length, terminate },
  };
}

/** Returns the fields of these visits that the phase of the surprise needs, for callers without an administrator. */
export async function knownVisits(db: Db, now: Date): Promise<VisitSummary[]> {
  const rows = (await Promise.all([listOpen(db), listEnded(db, LIST_SIZES.endedSessions)])).flat();
  const stages = await stagesByHash(db, rows);
  return rows.map((row) => ({
    id: row.id,
    state: visitState(row, now),
    started_at: row.started_at,
    completed_at: row.completed_at,
    stages: stages.get(row.snapshot_hash) ?? [],
  }));
}

/** Reads each snapshot once: visits with the same configuration share it. */
async function stagesByHash(db: Db, rows: readonly ListedRow[]): Promise<Map<string, Stages>> {
  const hashes = [...new Set(rows.map(({ snapshot_hash }) => snapshot_hash))];
  return new Map(await Promise.all(hashes.map(async (hash) => [hash, await stagesOf(db, hash)] as const)));
}

/** Returns [] for an unreadable snapshot, so that the other visits stay visible. */
async function stagesOf(db: Db, snapshot_hash: string): Promise<Stages> {
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

function recordOf(row: ListedRow, stages: Stages, now: Date): SessionRecord {
  const {
    snapshot_hash: _hash,
    background_at,
    exit_point,
    step,
    phrase,
    second,
    capabilities,
    ...shown
  } = row;
  return {
    ...shown,
    exit_point: EXIT_POINTS.find((known) => known === exit_point) ?? null,
    state: visitState(row, now),
    background: background_at !== null,
    stages,
    position: { step, phrase, second },
    capabilities: capabilities === null ? null : readCapabilities(capabilities),
  };
}
