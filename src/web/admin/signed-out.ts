import { createStore } from '../ui/store.ts';

/*
 * A session may end while somebody writes. Whoever is refused for it waits here; one dialog (layout/sign-in-again.tsx) lets them
 * all go on when somebody has signed in again, or sends them all away.
 */
type Waiting = { answer: Promise<boolean>; settle: (signedIn: boolean) => void };

/** Who waits, and whether somebody has said no since anybody was last seen signed in. */
const asked = createStore<{ waiting: Waiting | undefined; declined: boolean }>({
  waiting: undefined,
  declined: false,
});

/** Asks for a new sign-in. @returns true when it has happened and the refused call may be repeated, false when it was cancelled */
export function askToSignIn(): Promise<boolean> {
  const { waiting, declined } = asked.state();
  if (waiting !== undefined) return waiting.answer;
  let settle: Waiting['settle'] = () => {};
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  asked.set({ waiting: { answer, settle }, declined });
  return answer;
}

/** Is anybody waiting? */
export function isAsking(): boolean {
  return asked.state().waiting !== undefined;
}

/** Is nobody signed in, as far as is known: somebody waits, or nobody wanted to sign in again since? */
export function isSignedOut(): boolean {
  return isAsking() || asked.state().declined;
}

/** A call was answered: somebody has signed in, be it in another window. */
export function seenSignedIn(): void {
  const { waiting, declined } = asked.state();
  if (declined) asked.set({ waiting, declined: false });
}

/** Lets everybody who waits go on, or not. Who said no is asked again by what she does next, not by what goes on behind the page. */
export function settleSignIn(signedIn: boolean): void {
  const { waiting } = asked.state();
  asked.set({ waiting: undefined, declined: !signedIn });
  waiting?.settle(signedIn);
}

/** Calls back whenever `isAsking()` or `isSignedOut()` changes. @returns the function that stops it */
export const onAsking = asked.subscribe;
