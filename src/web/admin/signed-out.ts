import { createStore } from '../ui/store.ts';

/* A session may end while the administrator is writing. Refused calls wait here. One dialog (layout/sign-in-again.tsx) resumes
   them all after a new sign-in, or rejects them all. */
type PendingSignIn = { answer: Promise<boolean>; settle: (signedIn: boolean) => void };

/** `waiting`: pending sign-in. `declined`: it was cancelled, and no call has succeeded since. `leaving`: a sign-out is running. */
const signInStore = createStore<{ waiting: PendingSignIn | undefined; declined: boolean; leaving: boolean }>({
  waiting: undefined,
  declined: false,
  leaving: false,
});

/** Requests a new sign-in. @returns true after the sign-in, when the call may be repeated; false if it was cancelled */
export function requestSignIn(): Promise<boolean> {
  const { waiting, leaving } = signInStore.state();
  if (waiting !== undefined) return waiting.answer;
  if (leaving) return Promise.resolve(false);
  let settle: PendingSignIn['settle'] = () => {};
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  signInStore.set({ ...signInStore.state(), waiting: { answer, settle } });
  return answer;
}

/** Returns true if a new sign-in is pending. */
export function isSignInPending(): boolean {
  return signInStore.state().waiting !== undefined;
}

/** Returns true if signed out: a new sign-in is pending or was declined, or a sign-out is running. */
export function isSignedOut(): boolean {
  const { declined, leaving } = signInStore.state();
  return isSignInPending() || declined || leaving;
}

/** Suppresses the sign-in dialog for requests that fail during sign-out. */
export async function duringSignOut(leave: () => Promise<unknown>): Promise<void> {
  signInStore.set({ ...signInStore.state(), leaving: true });
  try {
    await leave();
  } finally {
    signInStore.set({ ...signInStore.state(), leaving: false });
  }
}

/** Records that a call succeeded: the administrator has signed in again, perhaps in another window. */
export function markSignedIn(): void {
  if (signInStore.state().declined) signInStore.set({ ...signInStore.state(), declined: false });
}

/** Resumes or rejects all waiting calls. After a cancel, background updates stop, so only the next action asks again. */
export function settleSignIn(signedIn: boolean): void {
  const { waiting } = signInStore.state();
  signInStore.set({ ...signInStore.state(), waiting: undefined, declined: !signedIn });
  waiting?.settle(signedIn);
}

/** Calls back when `isSignInPending()` or `isSignedOut()` changes. @returns a function that unsubscribes */
export const onSignInChange = signInStore.subscribe;
