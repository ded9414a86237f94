import type { AdminClient } from '../../../demo/admin-client.ts';
import type { PreparedServer } from './prepared-folders.ts';

/** A prepared surprise on a separate server, with the administrator's calls. */
export type Evening = {
  server: PreparedServer;
  admin: AdminClient;
  /** Creates a code. */
  code(options?: { max_accessi?: number; giorni?: number }): Promise<Code>;
};

export type Code = { id: string; token: string };

export function eveningOn({ server, admin }: Pick<Evening, 'server' | 'admin'>): Evening {
  const code = (options = {}) => admin.call<Code>('POST', '/admin/tokens', { nome: 'Giulia', ...options });
  return { admin, server, code };
}

/** Saves fields of the configuration. */
export async function configure({ admin }: Pick<Evening, 'admin'>, fields: object): Promise<void> {
  const { versione } = await admin.call<{ versione: number }>('GET', '/admin/config');
  await admin.call('PATCH', '/admin/config', { versione, fields });
}

/** Returns a code's complete row. */
export async function tokenRow({ server }: Evening, { id }: Code) {
  return server.deps.db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export async function sessionsOf({ server }: Evening, { id }: Code) {
  return server.deps.db
    .selectFrom('active_sessions')
    .selectAll()
    .where('token_id', '=', id)
    .orderBy('started_at')
    .execute();
}

export async function answersOf({ server }: Evening) {
  return server.deps.db
    .selectFrom('checkbox_responses')
    .select(['viaggio', 'risposta_1', 'risposta_2'])
    .orderBy('viaggio')
    .execute();
}
