import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { interruptedText } from '../../texts/commands.ts';

/** What went wrong, in its own words. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A last sentence and the code to end with: a failure goes to the standard error. */
export function finishWith(text: string, code: number): number {
  if (code === 0) console.log(text);
  else console.error(text);
  return code;
}

/** Ctrl+C or Ctrl+D where something was asked for: nothing is to be done. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

/** One line of the keyboard or of standard input, never shown. Throws `Interrupted` where the keyboard gives none. */
export async function readSecret(prompt: string): Promise<string> {
  const terminal = process.stdin.isTTY === true;
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal });
  // From here on the terminal shows no key: whoever answers at once isn't read along either.
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
