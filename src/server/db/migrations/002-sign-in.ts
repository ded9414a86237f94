import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Creates better-auth's tables `user`, `session`, `account`, `verification`, as better-auth 1.7.7 would, so that another version creates no
 * other tables. Changes of a later version need a separate migration; `tests/contracts/tables.test.ts` reports them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const types = db.getExecutor().adapter instanceof SqliteAdapter ? SQLITE : POSTGRES;
  for (const statement of statements(types)) await sql.raw(statement).execute(db);
}

type Types = { time: string /** A time with a default. */; begin: string; yes: string };

const SQLITE: Types = { time: 'date', begin: 'date not null', yes: 'integer' };
const POSTGRES: Types = {
  time: 'timestamptz',
  begin: 'timestamptz default CURRENT_TIMESTAMP not null',
  yes: 'boolean',
};

function statements({ time, begin, yes }: Types): string[] {
  // PostgreSQL sets the change time of users and verifications, but not of sessions and accounts.
  return [
    `create table "user" ("id" text not null primary key, "name" text not null, "email" text not null unique, "emailVerified" ${yes} not null, "image" text, "createdAt" ${begin}, "updatedAt" ${begin}, "seat" integer unique)`,
    `create table "session" ("id" text not null primary key, "expiresAt" ${time} not null, "token" text not null unique, "createdAt" ${begin}, "updatedAt" ${time} not null, "ipAddress" text, "userAgent" text, "userId" text not null references "user" ("id") on delete cascade)`,
    `create table "account" ("id" text not null primary key, "accountId" text not null, "providerId" text not null, "userId" text not null references "user" ("id") on delete cascade, "accessToken" text, "refreshToken" text, "idToken" text, "accessTokenExpiresAt" ${time}, "refreshTokenExpiresAt" ${time}, "scope" text, "password" text, "createdAt" ${begin}, "updatedAt" ${time} not null)`,
    `create table "verification" ("id" text not null primary key, "identifier" text not null, "value" text not null, "expiresAt" ${time} not null, "createdAt" ${begin}, "updatedAt" ${begin})`,
    'create index "session_userId_idx" on "session" ("userId")',
    'create index "account_userId_idx" on "account" ("userId")',
    'create index "verification_identifier_idx" on "verification" ("identifier")',
  ];
}
