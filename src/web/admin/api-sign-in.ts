import { type RequestResult, request } from '../api/request.ts';
import { requestSignIn } from './signed-out.ts';

export type Credentials = {
  email: string;
  password: string;
  /** Only set if the installation requires it. */
  setup_code?: string;
};

export type SignedIn = { email: string };

export const signIn = ({ email, password }: Credentials): Promise<RequestResult<SignedIn>> =>
  request('POST', '/auth/sign-in/email', { body: { email, password } });

/** Registers the first administrator and signs in. */
export const signUp = (credentials: Credentials): Promise<RequestResult<SignedIn>> =>
  request('POST', '/auth/sign-up/email', { body: { ...credentials, name: credentials.email } });

/** Ends all other sessions. */
export const changePassword = (
  currentPassword: string,
  newPassword: string,
): Promise<RequestResult<unknown>> =>
  signedIn(() => request('POST', '/auth/change-password', { body: { currentPassword, newPassword } }));

export const changeEmail = (password: string, newEmail: string): Promise<RequestResult<SignedIn>> =>
  signedIn(() => request('POST', '/auth/change-email', { body: { password, newEmail } }));

/** A device on which the administrator is signed in. Times are ISO 8601 in UTC. */
export type Device = {
  id: string;
  current: boolean;
  user_agent: string;
  created_at: string;
  used_at: string;
};

export const listDevices = (): Promise<RequestResult<Device[]>> =>
  signedIn(() => request('GET', '/auth/list-sessions'));

export const endOtherSessions = (password: string): Promise<RequestResult<unknown>> =>
  signedIn(() => request('POST', '/auth/revoke-other-sessions', { body: { password } }));

/** Requests a new sign-in if the session has ended, and then repeats the call, as the contract's calls do. */
async function signedIn<T>(call: () => Promise<RequestResult<T>>): Promise<RequestResult<T>> {
  const reply = await call();
  const ended = !reply.ok && reply.failure.codice === 'SIGN_IN_REQUIRED';
  return ended && (await requestSignIn()) ? call() : reply;
}

export const signOut = (): Promise<RequestResult<unknown>> => request('POST', '/auth/sign-out', { body: {} });
