import { errorCode } from './errors.ts';
import { statementName } from './statement.ts';

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
