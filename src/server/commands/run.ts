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
