import type { LiveTopic } from '../../contract/admin/live.ts';
import type { Deps } from '../deps.ts';

/** Tells the administrator's pages, after the commit, what they may have read before it. Nobody waits for it. */
export function publishChange({ live, log }: Pick<Deps, 'live' | 'log'>, ...topics: LiveTopic[]): void {
  live.publish({ type: 'changed', topics }).catch((error: unknown) => {
    log.warn({ err: error }, 'live message not published');
  });
}
