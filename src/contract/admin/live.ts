/** What the administrator's pages show and what can change behind their back. */
export const LIVE_TOPICS = [
  'sessions',
  'logs',
  'tokens',
  'answers',
  'config',
  'diagnosis',
  'ready',
  'plan_b',
] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/**
 * Messages of the administrator's live channel, `GET /api/admin/events` (server-sent events, one JSON object each).
 * `changed`: what was read of these topics is old. `resync`: news may have been lost, everything may be old.
 */
export type AdminLiveMessage =
  | { type: 'ping' }
  | { type: 'changed'; topics: LiveTopic[] }
  | { type: 'resync' }
  | { type: 'bye' };
