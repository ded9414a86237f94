import type { AnswerRecord } from '../../../contract/admin/questions.ts';
import { tripOf } from '../../../domain/content.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { readSnapshot } from '../visit/snapshot.ts';
import * as repo from './answers.repo.ts';

/** The received answers of both trips, newest first (spec 7 «Questions»), each with the questions its visit asked. */
export async function listAnswers({ db }: Pick<Deps, 'db'>, _actor: AdminActor): Promise<AnswerRecord[]> {
  const rows = await repo.listAnswers(db);
  return rows.map(({ snapshot, ...answer }) => ({ ...answer, ...asked(snapshot, answer.viaggio) }));
}

/** One visit that can't be read is no reason to hide the answers. */
function asked(snapshot: string | null, viaggio: number): Pick<AnswerRecord, 'domanda_1' | 'domanda_2'> {
  const unknown = { domanda_1: null, domanda_2: null };
  if (snapshot === null) return unknown;
  try {
    return tripOf(readSnapshot(snapshot), viaggio === 2 ? 2 : 1).domande ?? unknown;
  } catch {
    return unknown;
  }
}
