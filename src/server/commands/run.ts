import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { interruptedText } from '../../texts/commands.ts';

/** Returns the message of an error. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Prints a final sentence, failures to standard error, and returns the exit code. */
export function finishWith(text: string, code: number): number {
  if (code === 0) console.log(text);
  else console.error(text);
  return code;
}

/** Thrown at Ctrl+C or Ctrl+D in a prompt: the command does nothing. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

/** Reads one line from the keyboard or standard input without showing it. Rejects with `Interrupted` if the keyboard gives none. */
export async function readSecret(prompt: string): Promise<string> {
  const terminal = process.stdin.isTTY === true;
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: discarded, terminal });
  // The terminal echoes no key from here on, so an early answer stays hidden too.
  if (terminal) process.stderr.write(prompt);
  try {
    for await (const line of lines) return line;
  } finally {
    lines.close();
    if (terminal) process.stderr.write('\n');
  }
  if (terminal) throw new Interrupted(interruptedText);
  return '';
}
