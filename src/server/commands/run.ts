import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** What went wrong, in its own words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A last sentence and the code to end with: a failure goes to the standard error. */
export function say(text: string, code: number): number {
  if (code === 0) console.log(text);
  else console.error(text);
  return code;
}

/** One line of the keyboard or of standard input, never shown. */
export async function readSecret(prompt: string): Promise<string> {
  const terminal = process.stdin.isTTY === true;
  if (terminal) process.stderr.write(prompt);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (terminal) process.stderr.write('\n');
  }
}
