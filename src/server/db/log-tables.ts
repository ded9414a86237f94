/** Tables of events and their counts. */

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
 * Temporary counters: `key` is the name, `points` the count. For failures (`try:…`) `resets_at` is the time when all have expired
 * (`domain/tries.ts`); for other keys see their owners, for example the notifier.
 */
export type RateLimitsTable = { key: string; points: number; resets_at: string };

/** Number of refused attempts whose rows were removed. `giorno`: `YYYY-MM-DD` in Italy. */
export type RefusedTriesByDayTable = { giorno: string; tentativi: number };

/**
 * Successful entries (rows of `access_logs`) and started visits (rows of `active_sessions`) per Italian day. Updated with each row, so that
 * no query counts the rows.
 */
export type VisitsByDayTable = { giorno: string; accessi: number; visite: number };
