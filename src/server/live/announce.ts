import type { LiveTopic } from '../../contract/admin/dashboard.ts';
import type { Deps } from '../deps.ts';

/** Publishes changed topics to the administrator's pages after a commit. Doesn't block the caller. */
export function publishChange({ live, log }: Pick<Deps, 'live' | 'log'>, ...topics: LiveTopic[]): void {
  live.publish({ type: 'changed', topics }).catch((error: unknown) => {
    log.warn({ err: error }, 'live message not published');
  });
}
