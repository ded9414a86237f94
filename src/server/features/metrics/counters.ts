import { Counter, type Registry } from 'prom-client';
import { metricEvents } from '../../counted.ts';
import type { Deps } from '../../deps.ts';

/**
 * Counts the server's events from now on. Labels come from fixed lists (declared routes, refusal codes, methods), never
 * from user input. Returns a function that stops counting.
 */
export function registerCounters(register: Registry, { live }: Pick<Deps, 'live'>): () => void {
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name: `sorpresa_${name}_total`, help, labelNames, registers: [register] });
  const entries = counter('entries', 'Codes that let somebody in: new (a use was spent) or resumed.', 'kind');
  const refusals = counter('refusals', 'Answers that were a refusal, by its code.', 'code');
  const sent = counter('media_bytes', 'Bytes of stored files that were sent.');
  const ended = counter('visits_disconnected', 'Visits that were revoked, as this node heard it.');
  const requests = counter(
    'http_requests',
    'Requests that have ended, by method, address and class of status.',
    'method',
    'route',
    'status',
  );
  // A rate includes the first event only if the series existed with 0 before.
  for (const kind of ['new', 'resumed']) entries.inc({ kind }, 0);
  const ends = [
    metricEvents.entry.on(({ spent }) => entries.inc({ kind: spent ? 'new' : 'resumed' })),
    metricEvents.refusal.on(({ code }) => refusals.inc({ code })),
    metricEvents.sent.on(({ bytes }) => sent.inc(bytes)),
    metricEvents.request.on(({ method, route, status }) =>
      requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` }),
    ),
    live.subscribe((message) => {
      if (message.type === 'disconnected') ended.inc(message.session_ids.length);
    }),
  ];
  return () => ends.forEach((end) => end());
}
