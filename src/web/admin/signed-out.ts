import { createStore } from '../ui/store.ts';

/*
 * A session may end while somebody writes. Whoever is refused for it waits here; one dialog (layout/sign-in-again.tsx) lets them
 * all go on when somebody has signed in again, or sends them all away.
 */
type PendingSignIn = { answer: Promise<boolean>; settle: (signedIn: boolean) => void };

/** Who waits, whether somebody has said no since anybody was last seen signed in, and whether somebody is signing out. */
const asked = createStore<{ waiting: PendingSignIn | undefined; declined: boolean; leaving: boolean }>({
  waiting: undefined,
  declined: false,
  leaving: false,
});

/** Asks for a new sign-in. @returns true when it has happened and the refused call may be repeated, false when it was cancelled */
export function requestSignIn(): Promise<boolean> {
  const { waiting, leaving } = asked.state();
  if (waiting !== undefined) return waiting.answer;
  if (leaving) return Promise.resolve(false);
  let settle: PendingSignIn['settle'] = () => {};
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  asked.set({ ...asked.state(), waiting: { answer, settle } });
  return answer;
}

/** Is anybody waiting? */
export function isSignInPending(): boolean {
  return asked.state().waiting !== undefined;
}

/** Is nobody signed in, as far as is known: somebody waits, nobody wanted to sign in again since, or somebody is signing out? */
export function isSignedOut(): boolean {
  const { declined, leaving } = asked.state();
  return isSignInPending() || declined || leaving;
}

/** Whoever signs out isn't asked to sign in again by what the page goes on reading meanwhile. */
export async function duringSignOut(leave: () => Promise<unknown>): Promise<void> {
  asked.set({ ...asked.state(), leaving: true });
  try {
    await leave();
  } finally {
    asked.set({ ...asked.state(), leaving: false });
  }
}

/** A call was answered: somebody has signed in, be it in another window. */
export function markSignedIn(): void {
  if (asked.state().declined) asked.set({ ...asked.state(), declined: false });
}

/** Lets everybody who waits go on, or not. Who said no is asked again by what she does next, not by what goes on behind the page. */
export function settleSignIn(signedIn: boolean): void {
  const { waiting } = asked.state();
  asked.set({ ...asked.state(), waiting: undefined, declined: !signedIn });
  waiting?.settle(signedIn);
}

/** Calls back whenever `isSignInPending()` or `isSignedOut()` changes. @returns the function that stops it */
export const onSignInChange = asked.subscribe;
