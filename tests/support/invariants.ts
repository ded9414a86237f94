import { SESSION_TIMEOUT_MS } from '../../src/domain/limits.ts';
import type { Db } from '../../src/server/db/tables.ts';

const SWEEP_MS = 15_000;

type Violation = string;

/**
 * Checks the invariants that hold after every test: L1 (uses within the limit), L2 (uses, sessions and logs agree), L5
 * (no session without permission), L6 (answers are stored once and never change), L13 (openings and closings
 * alternate). Returns the violations.
 */
export async function checkInvariants(db: Db, now: Date): Promise<Violation[]> {
  const rows = await readAll(db);
  return [
    ...usesWithinLimit(rows),
    ...usesAgree(rows),
    ...nobodyLeftInside(rows, now),
    ...answersOnce(db, rows),
    ...alternate(rows),
  ];
}

type Rows = Awaited<ReturnType<typeof readAll>>;

async function readAll(db: Db) {
  const [tokens, sessions, events, accesses, answers] = await Promise.all([
    db.selectFrom('tokens').selectAll().execute(),
    db.selectFrom('active_sessions').selectAll().execute(),
    db.selectFrom('event_logs').selectAll().orderBy('created_at').execute(),
    db.selectFrom('access_logs').selectAll().execute(),
    db.selectFrom('checkbox_responses').selectAll().execute(),
  ]);
  return { tokens, sessions, events, accesses, answers };
}

function usesWithinLimit({ tokens }: Rows): Violation[] {
  return tokens
    .filter(({ accessi_usati, max_accessi }) => accessi_usati < 0 || accessi_usati > max_accessi)
    .map(({ token }) => `L1 ${token} is used beyond its limit`);
}

function usesAgree({ tokens, sessions, events, accesses }: Rows): Violation[] {
  const opened = countBy(sessions);
  const granted = countBy(events.filter(({ event_type }) => event_type === 'access_granted'));
  const logged = countBy(accesses.filter(({ success }) => success));
  const uses = new Map(tokens.map(({ id, accessi_usati }) => [id, accessi_usati]));
  const ids = new Set([...uses.keys(), ...opened.keys(), ...granted.keys(), ...logged.keys()]);
  return [...ids].flatMap((id) => {
    const counts = [opened.get(id) ?? 0, granted.get(id) ?? 0, logged.get(id) ?? 0];
    // A deleted code has no row; its history must still agree with itself.
    const used = uses.get(id) ?? counts[0];
    return counts.every((count) => count === used)
      ? []
      : [`L2 code ${id}: used ${used}, sessions/granted/logged ${counts.join('/')}`];
  });
}

function countBy(rows: { token_id: string | null }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { token_id } of rows)
    if (token_id !== null) counts.set(token_id, (counts.get(token_id) ?? 0) + 1);
  return counts;
}

function nobodyLeftInside({ tokens, sessions }: Rows, now: Date): Violation[] {
  const active = new Set(tokens.filter(({ attivo }) => attivo).map(({ id }) => id));
  return sessions
    .filter(({ is_active }) => is_active)
    .flatMap(({ id, token_id, last_activity, background_at }) => {
      const limit = background_at === null ? SESSION_TIMEOUT_MS.foreground : SESSION_TIMEOUT_MS.background;
      const silent = now.getTime() - Date.parse(background_at ?? last_activity);
      return [
        ...(active.has(token_id) ? [] : [`L5 session ${id} is open and its code is gone`]),
        ...(silent <= limit + SWEEP_MS ? [] : [`L5 session ${id} has been silent for ${silent} ms`]),
      ];
    });
}

const seen = new WeakMap<Db, Map<string, string>>();

function answersOnce(db: Db, { answers, sessions }: Rows): Violation[] {
  const before = seen.get(db) ?? new Map<string, string>();
  const values = new Map(sessions.map(({ id, token_value }) => [id, token_value]));
  const found = answers.flatMap((row) => {
    const key = `${row.session_id}/${row.viaggio}`;
    const content = JSON.stringify(row);
    const known = before.get(key);
    before.set(key, content);
    const whole = typeof row.risposta_1 === 'boolean' && typeof row.risposta_2 === 'boolean';
    return [
      ...(known === undefined || known === content ? [] : [`L6 answers ${key} changed`]),
      ...(whole && values.get(row.session_id) === row.token_value ? [] : [`L6 answers ${key} are not whole`]),
    ];
  });
  seen.set(db, before);
  const keys = answers.map(({ session_id, viaggio }) => `${session_id}/${viaggio}`);
  return new Set(keys).size === keys.length ? found : [...found, 'L6 answers are there twice'];
}

function alternate({ sessions, events }: Rows): Violation[] {
  const bySession = new Map<string, { at: string; opens: boolean; resumed: boolean }[]>();
  for (const { event_type, metadata, created_at } of events) {
    const opens = event_type === 'session_started';
    if (!opens && event_type !== 'session_ended' && event_type !== 'forced_disconnect') continue;
    const { session_id, resumed }: { session_id: string; resumed?: boolean } = JSON.parse(metadata);
    const list = bySession.get(session_id) ?? [];
    bySession.set(session_id, [...list, { at: created_at, opens, resumed: resumed === true }]);
  }
  return sessions.flatMap(({ id, is_active }) => {
    const story = bySession.get(id) ?? [];
    const end = follow(story);
    const firsts = story.filter(({ opens, resumed }) => opens && !resumed).length;
    return end === is_active && firsts === 1
      ? []
      : [`L13 session ${id}: ${JSON.stringify(story)}, active ${is_active}`];
  });
}

/** Returns whether the story ends open; null if two of a kind follow each other. Equal times are ordered to fit. */
function follow(story: { at: string; opens: boolean }[]): boolean | null {
  const left = [...story];
  let open = false;
  while (left.length > 0) {
    const index = left.findIndex(({ at, opens }) => at === left[0]?.at && opens !== open);
    if (index === -1) return null;
    open = left.splice(index, 1)[0]?.opens ?? open;
  }
  return open;
}
