import type { Questions } from '../../../domain/configuration.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../../live/announce.ts';
import type { Refused } from '../../refused.ts';
import * as repo from '../config/questions.repo.ts';

/** The questions of both trips with their version; 0 means that nothing was ever saved. */
export async function readQuestions(
  { db }: Pick<Deps, 'db'>,
  _actor: AdminActor,
): Promise<repo.VersionedQuestions> {
  return repo.readVersioned(db);
}

/** Changes the questions that are given and leaves the others, if nobody has saved since `versione` was read. Returns all four. */
export async function saveQuestions(
  deps: Pick<Deps, 'inTransaction' | 'live' | 'log'>,
  _actor: AdminActor,
  { versione, fields }: { versione: number; fields: { [K in keyof Questions]?: Questions[K] | undefined } },
): Promise<repo.VersionedQuestions | Refused<'STALE_VERSION'>> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const saved = await deps.inTransaction(async (tx) => {
    if (versione === 0) await repo.ensureQuestions(tx);
    return repo.updateQuestions(tx, given, versione);
  });
  if (saved === undefined) return { refused: 'STALE_VERSION' };
  announce(deps, 'config');
  return saved;
}
