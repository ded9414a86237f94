/*
 * A session may end while somebody writes. Whoever is refused for it waits here; one dialog (shell/sign-in-again.tsx) lets them
 * all go on when somebody has signed in again, or sends them all away.
 */
type Waiting = { answer: Promise<boolean>; settle: (signedIn: boolean) => void };

let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

/** Asks for a new sign-in. @returns true when it has happened and the refused call may be repeated, false when it was cancelled */
export function askToSignIn(): Promise<boolean> {
  if (waiting === undefined) {
    let settle: Waiting['settle'] = () => {};
    const answer = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    waiting = { answer, settle };
    tell();
  }
  return waiting.answer;
}

/** Is anybody waiting? */
export function isAsking(): boolean {
  return waiting !== undefined;
}

/** Lets everybody who waits go on, or not. */
export function settleSignIn(signedIn: boolean): void {
  const asked = waiting;
  waiting = undefined;
  asked?.settle(signedIn);
  tell();
}

/** Calls back whenever `isAsking()` changes. @returns the function that stops it */
export function onAsking(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
