import type { Questions } from '../../../domain/content.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import * as repo from './questions.repo.ts';

export async function readQuestions({ db }: Pick<Deps, 'db'>, _actor: AdminActor): Promise<Questions> {
  return repo.readQuestions(db);
}

/** Changes the questions that are given and leaves the others. Returns all four. */
export async function saveQuestions(
  deps: Pick<Deps, 'inTransaction'>,
  _actor: AdminActor,
  change: { [K in keyof Questions]?: Questions[K] | undefined },
): Promise<Questions> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return deps.inTransaction((tx) => repo.saveQuestions(tx, given));
}
