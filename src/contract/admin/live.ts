/** Data of the administrator's pages that can change on the server. */
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
 * `changed`: data of these topics is stale. `resync`: messages may be lost, so all data may be stale.
 */
export type AdminLiveMessage =
  | { type: 'ping' }
  | { type: 'changed'; topics: LiveTopic[] }
  | { type: 'resync' }
  | { type: 'bye' };
