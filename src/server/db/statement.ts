import { createHash } from 'node:crypto';
import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import { errorCode } from './errors.ts';
import type { Db } from './tables.ts';

/** Runs a query with these values on a database or a transaction. */
export type Statement<V, R> = (db: Db, values: V) => Promise<R[]>;

type Execute = <R>(query: CompiledQuery<R>) => Promise<QueryResult<R>>;

const executors = new WeakMap<Db, Execute>();

/** Length of a name in hex digits: 64 bits of the text's hash. Others that prepare on this connection use the name for the same text. */
const NAME_LENGTH = 16;

const names = new Map<string, string>();

/** Returns the name for preparing an SQL text if it belongs to a `statement`: these are repeated unchanged and limited in number. */
export const statementName = (text: string): string | undefined => names.get(text);

/** Sets how the statements of this transaction are run: directly on its connection, bypassing Kysely's queue. */
export function setExecutor(tx: Db, execute: Execute): void {
  executors.set(tx, execute);
}

/** Placeholder for a value. Kysely treats it as the value, and it reappears in the parameters. */
class Slot {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

type Plan<R> = { query: CompiledQuery<R>; parameters: readonly unknown[] };

/**
 * Creates a query that Kysely compiles once per kind of database, for hot queries: building costs several times the execution. `build`
 * receives placeholders instead of values: it may pass them as values, but must not inspect them.
 */
export function statement<V extends object>() {
  return <R>(build: (db: Db, value: V) => Compilable<R>): Statement<V, R> => {
    // Each kind of database has its own adapter; a transaction has its database's.
    const plans = new WeakMap<object, Plan<R>>();
    const planFor = (db: Db): Plan<R> => {
      const { adapter } = db.getExecutor();
      const cached = plans.get(adapter);
      if (cached !== undefined) return cached;
      const query = build(db, createPlaceholders<V>()).compile();
      const plan = { query, parameters: query.parameters };
      names.set(query.sql, createHash('sha256').update(query.sql).digest('hex').slice(0, NAME_LENGTH));
      plans.set(adapter, plan);
      return plan;
    };
    return async (db, values) => {
      const { query, parameters } = planFor(db);
      const filled = { ...query, parameters: parameters.map((each) => fillParameter(each, values)) };
      const run = executors.get(db) ?? ((one) => db.executeQuery(one));
      return (await run<R>(filled)).rows;
    };
  };
}

/** Returns the placeholders of these columns for an insert. The caller must pass a value for each, null if there is none. */
export function placeholdersFor<V extends object, K extends keyof V>(
  value: V,
  columns: readonly K[],
): Pick<V, K> {
  const places: Partial<Pick<V, K>> = {};
  for (const column of columns) places[column] = value[column];
  return places as Pick<V, K>;
}

function createPlaceholders<V extends object>(): V {
  return new Proxy({}, { get: (_, name) => new Slot(name) }) as V;
}

function fillParameter<V extends object>(parameter: unknown, values: V): unknown {
  return parameter instanceof Slot ? Reflect.get(values, parameter.name) : parameter;
}

/** Names of prepared statements, so that PostgreSQL parses and plans a repeated query once. */
export type StatementNames = {
  /** Returns the name for an SQL text, or undefined for a query without one. */
  of(text: string): string | undefined;
  /** Returns true if the error means an unknown or outdated name. Names are then no longer used. */
  refusedBy(error: unknown): boolean;
  /** Returns true after such an error. */
  refused(): boolean;
};

/**
 * Unknown name, name in use, changed result columns. The first two are caused by a pooler that uses another connection per transaction, the
 * third by a newer node's migration.
 */
const REFUSALS = ['26000', '42P05', '0A000'];

/** Creates the names of one pool, or none. */
export function createStatementNames(isEnabled: boolean): StatementNames {
  let refused = false;
  return {
    of: (text) => (isEnabled && !refused ? statementName(text) : undefined),
    refusedBy: (error) => {
      const refusal = isEnabled && REFUSALS.includes(errorCode(error));
      refused ||= refusal;
      return refusal;
    },
    refused: () => refused,
  };
}
