import { type Outcome, request } from '../api/request.ts';

export type Credentials = {
  email: string;
  password: string;
  /** Only where the installation asks for one. */
  setup_code?: string;
};

export type SignedIn = { email: string };

export const signIn = ({ email, password }: Credentials): Promise<Outcome<SignedIn>> =>
  request('POST', '/auth/sign-in/email', { body: { email, password } });

/** Registers the first administrator and signs in. */
export const signUp = (credentials: Credentials): Promise<Outcome<SignedIn>> =>
  request('POST', '/auth/sign-up/email', { body: { ...credentials, name: credentials.email } });

export const signOut = (): Promise<Outcome<unknown>> => request('POST', '/auth/sign-out', { body: {} });
