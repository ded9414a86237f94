import type { InferContractRouterOutputs } from '@orpc/contract';
import type { SessionRecord } from '../../../contract/admin/sessions.ts';
import type { contract } from '../../../contract/contract.ts';
import { readCapabilities } from '../../../domain/capabilities.ts';
import { EXIT_POINTS } from '../../../domain/exit-points.ts';
import { itinerary } from '../../../domain/itinerary.ts';
import { SHOWN } from '../../../domain/limits.ts';
import { stageContent } from '../../../domain/stage-content.ts';
import { visitState } from '../../../domain/visit-state.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { readSnapshot } from '../visit/snapshot.ts';
import { countEnded, type ListedRow, listEnded, listOpen } from './session-list.repo.ts';

type Output = InferContractRouterOutputs<typeof contract>['admin']['sessions']['list'];
type Stages = SessionRecord['stages'];

/** Every open session and the latest ended ones, by when they started (spec 2 «Active sessions», 7). */
export async function listSessions(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  _actor: AdminActor,
): Promise<Output> {
  const [open, ended, terminate] = await Promise.all([
    listOpen(db),
    listEnded(db, SHOWN.endedSessions),
    countEnded(db),
  ]);
  const stages = stagesBySnapshot([...open, ...ended]);
  const moment = now();
  const record = (row: ListedRow) => recordOf(row, stages.get(row.snapshot) ?? [], moment);
  return {
    attive: open.map(record),
    terminate: ended.map(record),
    conteggi: { attive: open.length, terminate },
  };
}

/** Visits that began with the same configuration share it: it is read once. */
function stagesBySnapshot(rows: readonly ListedRow[]): Map<string, Stages> {
  return new Map(
    [...new Set(rows.map(({ snapshot }) => snapshot))].map((stored) => [stored, stagesOf(stored)]),
  );
}

/** One visit that can't be read is no reason to hide the others. */
function stagesOf(stored: string): Stages {
  try {
    const snapshot = readSnapshot(stored);
    return itinerary(snapshot).map((step) => {
      const content = stageContent(snapshot, step, new Map());
      return { ...step, frasi: 'frasi' in content ? content.frasi.length : null };
    });
  } catch {
    return [];
  }
}

function recordOf(row: ListedRow, stages: Stages, now: Date): SessionRecord {
  const {
    snapshot: _snapshot,
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
