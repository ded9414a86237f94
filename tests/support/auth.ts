import { sql } from 'kysely';
import { pino } from 'pino';
import type { Auth } from '../../src/server/auth/actor.ts';
import { createAuth } from '../../src/server/auth/auth.ts';
import { type Env, readEnv } from '../../src/server/env.ts';
import type { TestDatabase } from './databases.ts';
import { type Answered, answered } from './http.ts';

export const ORIGIN = 'http://localhost:3000';

export type TestAuth = Auth & {
  /** Returns all lines logged up to now. */
  logged(): string;
  /** Advances this node's clock, in ms. */
  wait(ms: number): void;
};

/** Creates sign-in on a database, like one node of the server. */
export async function authOn(
  database: TestDatabase,
  settings: Partial<Record<keyof Env, string>> = {},
): Promise<TestAuth> {
  const env = readEnv({ HOST: '127.0.0.1', ...database.env, ...settings });
  const lines: string[] = [];
  let ahead = 0;
  const auth = await createAuth({
    env,
    db: database.db,
    inTransaction: database.inTransaction,
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    now: () => new Date(Date.now() + ahead),
  });
  return { ...auth, logged: () => lines.join(''), wait: (ms) => (ahead += ms) };
}

export function nodesOn(database: TestDatabase, count: number): Promise<TestAuth[]> {
  return Promise.all(Array.from({ length: count }, () => authOn(database)));
}

export type AnswerBody = { codice?: string; messaggio?: string; secondi?: number; email?: string };

export type Answer = Answered & { body: AnswerBody };

export type Sent = { address?: string; cookie?: string; headers?: Record<string, string>; method?: string };

/** Sends a request like a browser on the site's own page. */
export async function ask(auth: Auth, path: string, body: unknown, sent: Sent = {}): Promise<Answer> {
  const method = sent.method ?? (body === undefined ? 'GET' : 'POST');
  const headers = new Headers({ origin: ORIGIN, 'content-type': 'application/json', ...sent.headers });
  if (sent.cookie) headers.set('cookie', sent.cookie);
  const request = new Request(`${ORIGIN}/api/auth${path}`, { method, headers });
  const response = await auth.handle({ request, body, address: sent.address ?? '192.0.2.1' });
  return answered(response);
}

export const post = (auth: Auth, path: string, body: unknown, sent: Sent = {}) => ask(auth, path, body, sent);

/** Returns the number of rows in better-auth's tables. */
export async function authTables(database: TestDatabase) {
  const count = async (table: string) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
      database.db,
    );
    return Number(rows[0]?.n);
  };
  return { users: await count('user'), accounts: await count('account'), sessions: await count('session') };
}
