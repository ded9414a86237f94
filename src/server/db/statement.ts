import { createHash } from 'node:crypto';
import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import type { Db } from './tables.ts';

/** Asks a database, or a transaction of it, a question with these values in it. */
export type Statement<V, R> = (db: Db, values: V) => Promise<R[]>;

type Execute = <R>(query: CompiledQuery<R>) => Promise<QueryResult<R>>;

const ways = new WeakMap<Db, Execute>();

/** Of a name, in hexadecimal digits: 64 bits of the words. Whoever else prepares on the same connection means the same by it. */
const NAME_LENGTH = 16;

const names = new Map<string, string>();

/**
 * The name to prepare these words under, where they are a `statement`'s: those come again, the same, and there is an end to how many there
 * are.
 */
export const statementName = (words: string): string | undefined => names.get(words);

/** Says how the statements of this transaction reach their connection: without a stop at Kysely's queue for it. */
export function setExecutor(tx: Db, ask: Execute): void {
  ways.set(tx, ask);
}

/** The place of a value. Kysely takes it for the value itself, and it comes out again among the parameters. */
class Slot {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

type Plan<R> = { query: CompiledQuery<R>; parameters: readonly unknown[] };

/**
 * A question that Kysely puts into words once for each kind of database: later only its values travel. For what every request asks:
 * building costs several times what a prepared statement does. `build` sees no values, only their places: it may put them where a value
 * goes, and must not look at them.
 */
export function statement<V extends object>() {
  return <R>(build: (db: Db, value: V) => Compilable<R>): Statement<V, R> => {
    // Two kinds of database have two dialects; a transaction has its database's.
    const plans = new WeakMap<object, Plan<R>>();
    const planFor = (db: Db): Plan<R> => {
      const { adapter } = db.getExecutor();
      const known = plans.get(adapter);
      if (known !== undefined) return known;
      const query = build(db, places<V>()).compile();
      const plan = { query, parameters: query.parameters };
      names.set(query.sql, createHash('sha256').update(query.sql).digest('hex').slice(0, NAME_LENGTH));
      plans.set(adapter, plan);
      return plan;
    };
    return async (db, values) => {
      const { query, parameters } = planFor(db);
      const filled = { ...query, parameters: parameters.map((each) => filling(each, values)) };
      const asked = ways.get(db) ?? ((one) => db.executeQuery(one));
      return (await asked<R>(filled)).rows;
    };
  };
}

/** The places of these columns' values, for a row to insert. Whoever asks gives a value for each, null where there is none. */
export function placeholdersFor<V extends object, K extends keyof V>(
  value: V,
  columns: readonly K[],
): Pick<V, K> {
  const places: Partial<Pick<V, K>> = {};
  for (const column of columns) places[column] = value[column];
  return places as Pick<V, K>;
}

function places<V extends object>(): V {
  return new Proxy({}, { get: (_, name) => new Slot(name) }) as V;
}

function filling<V extends object>(parameter: unknown, values: V): unknown {
  return parameter instanceof Slot ? Reflect.get(values, parameter.name) : parameter;
}
