/*
 * A session may end while somebody writes. Whoever is refused for it waits here; one dialog (layout/sign-in-again.tsx) lets them
 * all go on when somebody has signed in again, or sends them all away.
 */
type Waiting = { answer: Promise<boolean>; settle: (signedIn: boolean) => void };

let waiting: Waiting | undefined;
let declined = false;
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

/** Is nobody signed in, as far as is known: somebody waits, or nobody wanted to sign in again since? */
export function isSignedOut(): boolean {
  return waiting !== undefined || declined;
}

/** A call was answered: somebody has signed in, be it in another window. */
export function seenSignedIn(): void {
  if (!declined) return;
  declined = false;
  tell();
}

/** Lets everybody who waits go on, or not. Who said no is asked again by what she does next, not by what goes on behind the page. */
export function settleSignIn(signedIn: boolean): void {
  const asked = waiting;
  waiting = undefined;
  declined = !signedIn;
  asked?.settle(signedIn);
  tell();
}

/** Calls back whenever `isAsking()` or `isSignedOut()` changes. @returns the function that stops it */
export function onAsking(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
