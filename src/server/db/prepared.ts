import { errorCode } from './errors.ts';
import { statementName } from './statement.ts';

/** Names under which a connection prepares what is asked over and over, so that PostgreSQL reads and plans it once. */
export type StatementNames = {
  /** The name for these words, or undefined where they are asked without one. */
  of(words: string): string | undefined;
  /** Whether the error says that a name led nowhere or to something old. From then on there are no names. */
  refusedBy(error: unknown): boolean;
  /** Whether such an error has come. */
  refused(): boolean;
};

/**
 * No such name, a name that is taken, and an answer whose columns have changed. The first two come of a pooler that gives each transaction
 * another connection, the third of a newer node's migration.
 */
const REFUSALS = ['26000', '42P05', '0A000'];

/** Names for one pool, or none from the start. */
export function createStatementNames(wanted: boolean): StatementNames {
  let refused = false;
  return {
    of: (words) => (wanted && !refused ? statementName(words) : undefined),
    refusedBy: (error) => {
      const refusal = wanted && REFUSALS.includes(errorCode(error));
      refused ||= refusal;
      return refusal;
    },
    refused: () => refused,
  };
}
