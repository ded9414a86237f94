import { setTimeout as delay } from 'node:timers/promises';
import type { Disconnection } from '../../contract/visit.ts';
import { type ForcedReason, isForced } from '../../domain/evening.ts';
import type { Deps } from '../deps.ts';
import { readContact, readStates, type SessionState } from './live.repo.ts';

/** Closes a connection at once. The argument is null if the evening is over, otherwise the administrator's disconnection. */
export type CloseConnection = (disconnection: Disconnection | null) => void;

/** Open event streams and transfers by session. */
export type SessionConnections = {
  /** Registers a connection until the returned function is called. */
  register(session_id: string, cut: CloseConnection): () => void;
  close(): void;
};

/** Delay in ms before the connected sessions are read again after a message: messages can be lost, rows can't. */
const REREAD_MS = 500;
/** Interval of further reads in ms if there are other nodes: with the delay above, a revocation arrives within 5 s in any case. */
const REREAD_EVERY_MS = 4_000;

/** Closes a session's connections as soon as the session is revoked or over. */
export function createConnections(deps: Pick<Deps, 'db' | 'live' | 'log'>): SessionConnections {
  const connections = new Map<string, Set<CloseConnection>>();
  let rereading = false;
  let closed = false;

  const closeAll = (session_id: string, disconnection: Disconnection | null) => {
    for (const cut of connections.get(session_id) ?? []) cut(disconnection);
  };
  const reread = async () => {
    if (rereading || closed || connections.size === 0) return;
    rereading = true;
    await delay(REREAD_MS, undefined, { ref: false });
    rereading = false;
    const revoked = await findOverSessions(deps, [...connections.keys()]).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'the connected sessions could not be read');
      return [];
    });
    for (const { session_id, disconnection } of revoked) closeAll(session_id, disconnection);
  };
  const timer = deps.live.shared ? setInterval(() => void reread(), REREAD_EVERY_MS).unref() : undefined;
  const unsubscribe = deps.live.subscribe((message) => {
    if (message.type === 'disconnected') {
      for (const session_id of message.session_ids) closeAll(session_id, message.disconnection);
    }
    if (message.type !== 'changed' || message.topics.includes('sessions')) void reread();
  });

  return {
    register(session_id, cut) {
      const cuts = connections.get(session_id) ?? new Set();
      connections.set(session_id, cuts.add(cut));
      return () => {
        cuts.delete(cut);
        if (cuts.size === 0 && connections.get(session_id) === cuts) connections.delete(session_id);
      };
    },
    close() {
      closed = true;
      clearInterval(timer);
      unsubscribe();
    },
  };
}

/** Returns those of the sessions that must not receive more data; their disconnection is null if the evening is over. */
async function findOverSessions({ db, live }: Pick<Deps, 'db' | 'live'>, ids: string[]) {
  const states = new Map((await readStates(db, ids, live.shared)).map((state) => [state.id, state]));
  const over = ids.flatMap((session_id) => {
    const reason = endOf(states.get(session_id));
    return reason === undefined ? [] : [{ session_id, reason }];
  });
  if (over.length === 0) return [];
  const contatto = await readContact(db);
  return over.map(({ session_id, reason }) => ({
    session_id,
    disconnection: reason && { reason, contatto },
  }));
}

/**
 * Returns the reason of a revoked session, null for one that is over, undefined for one that goes on. A missing or inactive code means that
 * the session is revoked, regardless of its state.
 */
function endOf(state: SessionState | undefined): ForcedReason | null | undefined {
  if (state === undefined) return null;
  if (isForced(state.disconnection_reason)) return state.disconnection_reason;
  if (state.completed_at !== null) return null;
  return state.code_active ? undefined : 'token_revoked';
}
