import type { AnswerRecord } from '../../../contract/admin/questions.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import * as repo from './answers.repo.ts';

/** The received answers of both trips, newest first (spec 7 «Questions»). */
export async function listAnswers({ db }: Pick<Deps, 'db'>, _actor: AdminActor): Promise<AnswerRecord[]> {
  return repo.listAnswers(db);
}
