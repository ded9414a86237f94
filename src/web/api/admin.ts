import type { InferContractRouterOutputs } from '@orpc/contract';
import type { adminContract } from '../../contract/admin.ts';
import { type Outcome, request } from './request.ts';

type Outputs = InferContractRouterOutputs<typeof adminContract>;

export type Door = Outputs['door'];
export type Credentials = {
  email: string;
  password: string /** Only where the installation asks for one. */;
  setup_code?: string;
};

/** What the sign-in page must know before anybody has signed in. */
export const door = (): Promise<Outcome<Door>> => request('GET', '/admin/door');

/** Who is signed in; refused with SIGN_IN_REQUIRED when nobody is. */
export const me = (): Promise<Outcome<Outputs['me']>> => request('GET', '/admin/me');

export const signIn = ({ email, password }: Credentials): Promise<Outcome<unknown>> =>
  request('POST', '/auth/sign-in/email', { body: { email, password } });

/** Registers the first administrator and signs in. */
export const signUp = (credentials: Credentials): Promise<Outcome<unknown>> =>
  request('POST', '/auth/sign-up/email', { body: { ...credentials, name: credentials.email } });

export const signOut = (): Promise<Outcome<unknown>> => request('POST', '/auth/sign-out', { body: {} });
