/**
 * Runs a command of whoever keeps the product, given its first argument: what it returns becomes the exit code. What it throws is told in
 * a sentence, without a stack.
 */
export async function runCommand(main: (argument: string | undefined) => Promise<number>): Promise<void> {
  process.umask(0o077);
  process.exitCode = await main(process.argv[2]).catch((error: unknown) => say(reasonOf(error), 1));
}

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
