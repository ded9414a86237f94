import { setTimeout as delay } from 'node:timers/promises';
import type { Disconnection } from '../../contract/visit.ts';
import { type ForcedReason, isForced } from '../../domain/visit-state.ts';
import type { Deps } from '../deps.ts';
import { readContact, readStates, type SessionState } from './live.repo.ts';

/** Ends a connection at once; with the disconnection where the administrator is the reason, null where the evening is over. */
export type CloseConnection = (disconnection: Disconnection | null) => void;

/** Who is being answered right now, by session: live streams and files under way. */
export type SessionConnections = {
  /** Keeps a connection until the returned function is called. */
  register(session_id: string, cut: CloseConnection): () => void;
  close(): void;
};

/** After any news the sessions that are connected are read again, this many ms later at most: a message may be lost, the database is not. */
const REREAD_MS = 500;
/** Without news so often, in ms, where other nodes say it: with the delay of above, a revocation is heard within 5 s in any case. */
const REREAD_EVERY_MS = 4_000;

/** Cuts what a session holds as soon as it is closed against its holder's will, or is over. */
export function createConnections(deps: Pick<Deps, 'db' | 'live' | 'log'>): SessionConnections {
  const held = new Map<string, Set<CloseConnection>>();
  let rereading = false;
  let closed = false;

  const cutAll = (session_id: string, disconnection: Disconnection | null) => {
    for (const cut of held.get(session_id) ?? []) cut(disconnection);
  };
  const reread = async () => {
    if (rereading || closed || held.size === 0) return;
    rereading = true;
    await delay(REREAD_MS, undefined, { ref: false });
    rereading = false;
    const over = await readOver(deps, [...held.keys()]).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'the connected sessions could not be read');
      return [];
    });
    for (const { session_id, disconnection } of over) cutAll(session_id, disconnection);
  };
  const timer = deps.live.shared ? setInterval(() => void reread(), REREAD_EVERY_MS).unref() : undefined;
  const unsubscribe = deps.live.subscribe((message) => {
    if (message.type === 'disconnected') {
      for (const session_id of message.session_ids) cutAll(session_id, message.disconnection);
    }
    if (message.type !== 'changed' || message.topics.includes('sessions')) void reread();
  });

  return {
    register(session_id, cut) {
      const cuts = held.get(session_id) ?? new Set();
      held.set(session_id, cuts.add(cut));
      return () => {
        cuts.delete(cut);
        if (cuts.size === 0 && held.get(session_id) === cuts) held.delete(session_id);
      };
    },
    close() {
      closed = true;
      clearInterval(timer);
      unsubscribe();
    },
  };
}

type RevokedSession = { session_id: string; disconnection: Disconnection | null };

/** Those of the sessions that must not be answered any more. */
async function readOver({ db, live }: Pick<Deps, 'db' | 'live'>, ids: string[]): Promise<RevokedSession[]> {
  const states = new Map((await readStates(db, ids, live.shared)).map((state) => [state.id, state]));
  const gone = ids.filter((id) => isOver(states.get(id)));
  if (gone.length === 0) return [];
  const contatto = await readContact(db);
  return gone.map((session_id) => ({
    session_id,
    disconnection: disconnectionOf(states.get(session_id), contatto),
  }));
}

function isOver(state: SessionState | undefined): boolean {
  return state === undefined || state.completed_at !== null || forcedReason(state) !== null;
}

function disconnectionOf(state: SessionState | undefined, contatto: string | null): Disconnection | null {
  const reason = state === undefined ? null : forcedReason(state);
  return reason === null ? null : { reason, contatto };
}

/** A code that is gone or off means revoked, whatever the session says. */
function forcedReason({
  completed_at,
  disconnection_reason,
  code_active,
}: SessionState): ForcedReason | null {
  if (isForced(disconnection_reason)) return disconnection_reason;
  return completed_at === null && !code_active ? 'token_revoked' : null;
}
