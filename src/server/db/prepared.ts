import { createHash } from 'node:crypto';
import { textCode } from './errors.ts';
import { isStatement } from './statement.ts';

/** Names under which a connection prepares what is asked over and over, so that PostgreSQL reads and plans it once. */
export type Names = {
  /** The name for these words, or undefined where they are asked without one. */
  of(words: string): string | undefined;
  /** Whether the error says that a name led nowhere or to something old. From then on there are no names. */
  refusedBy(error: unknown): boolean;
  /** Whether such an error has come. */
  refused(): boolean;
};

/**
 * No such name, a name that is taken, and an answer whose columns have changed. The first two come of a pooler that gives each transaction another connection, the
 * third of a newer node's migration.
 */
const REFUSALS = ['26000', '42P05', '0A000'];

/** 64 bits of the words: whoever else prepares on the same connection means the same by it. */
const LENGTH = 16;

/** Names for one pool, or none from the start. */
export function preparedNames(wanted: boolean): Names {
  const names = new Map<string, string>();
  let refused = false;

  function nameFor(words: string): string {
    const known = names.get(words);
    if (known !== undefined) return known;
    const name = createHash('sha256').update(words).digest('hex').slice(0, LENGTH);
    names.set(words, name);
    return name;
  }
  return {
    of: (words) => (wanted && !refused && isStatement(words) ? nameFor(words) : undefined),
    refusedBy: (error) => {
      const refusal = wanted && REFUSALS.includes(textCode(error));
      refused ||= refusal;
      return refusal;
    },
    refused: () => refused,
  };
}
