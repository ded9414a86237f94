/** The tables of what happened, and of what is counted of it. */

export type EventLogsTable = {
  id: string;
  event_type: string;
  token_id: string | null;
  token_value: string | null;
  device_id: string | null;
  user_agent: string | null;
  success: boolean;
  error_message: string | null;
  /** JSON object. */
  metadata: string;
  created_at: string;
};

export type AccessLogsTable = {
  id: string;
  token_id: string | null;
  token_value: string | null;
  success: boolean;
  error_message: string | null;
  created_at: string;
};

/**
 * What is counted for a while: `key` names it, `points` says how many. Of wrong answers (`try:…`) `resets_at` is when all are forgiven, see
 * `domain/tries.ts`; of the notifier's rows see there.
 */
export type RateLimitsTable = { key: string; points: number; resets_at: string };

/** Refused tries of which only the number is left. `giorno`: `YYYY-MM-DD` in Italy. */
export type RefusedTriesByDayTable = { giorno: string; tentativi: number };

/**
 * Entries that succeeded (rows of `access_logs`) and visits that began (rows of `active_sessions`), by the same days: written with each,
 * for nobody to count the rows.
 */
export type VisitsByDayTable = { giorno: string; accessi: number; visite: number };
