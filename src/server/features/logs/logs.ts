import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import { z } from 'zod';
import { type EventRecord, SECURITY_EVENTS } from '../../../contract/admin/logs.ts';
import type { contract } from '../../../contract/contract.ts';
import { LIST_SIZES } from '../../../domain/limits.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import { adminCalls } from '../../auth/admin-calls.ts';
import { calls } from '../../http/calls.ts';
import { countEvents, type ListedEvent, latestEvents } from './logs.repo.ts';
import { totalRefused } from './refused-tries.repo.ts';

export const logsCalls = calls(adminCalls.logs, { list: listLogs });

type Input = InferContractRouterInputs<typeof contract>['admin']['logs']['list'];
type Output = InferContractRouterOutputs<typeof contract>['admin']['logs']['list'];

/** Returns the latest events and their total, optionally of one kind (spec 2 «Event logs», 7). */
export async function listLogs({ db }: AdminCtx, { event_type }: Input): Promise<Output> {
  const kinds = event_type && kindsOf(event_type);
  const [rows, totale, solo_contati] = await Promise.all([
    latestEvents(db, LIST_SIZES.events, kinds),
    countEvents(db, kinds),
    totalRefused(db),
  ]);
  return { eventi: rows.map(eventRecord), totale, solo_contati };
}

const kindsOf = (filter: NonNullable<Input['event_type']>): readonly string[] =>
  filter === 'admin' ? SECURITY_EVENTS : [filter];

/** Converts an event to the contract's record. */
function eventRecord(row: ListedEvent): EventRecord {
  return { ...row, metadata: metadataOf(row.metadata) };
}

const metadataSchema = z.record(z.string(), z.unknown());

/** Parses the stored metadata; returns an empty object if it is invalid. */
function metadataOf(stored: string): EventRecord['metadata'] {
  try {
    return metadataSchema.parse(JSON.parse(stored));
  } catch {
    return {};
  }
}
