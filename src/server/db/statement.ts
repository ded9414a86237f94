import type { CompiledQuery } from 'kysely';
import type { Db } from './tables.ts';

/** Asks a database a question that has one value in it. */
export type Statement<R> = (db: Db, value: string) => Promise<R[]>;

/** A question that Kysely puts into words once for each database: later only its one value travels. For what every request asks. */
export function statement<R>(
  build: (db: Db, value: string) => { compile(): CompiledQuery<R> },
): Statement<R> {
  const built = new WeakMap<Db, CompiledQuery<R>>();
  return async (db, value) => {
    const query = built.get(db) ?? build(db, value).compile();
    built.set(db, query);
    return (await db.executeQuery<R>({ ...query, parameters: [value] })).rows;
  };
}
