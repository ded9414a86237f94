import type { SessionRow } from './sessions.repo.ts';

/** Id of a page load; undefined for a page of a version without ids. */
export type PageLoadId = string | undefined;

type PageLoads = Pick<SessionRow, 'life' | 'left_lives'>;

/** Maximum number of ended page loads per session. No request is in flight during that many reloads. */
const MAX_ENDED_LOADS = 20;

/** Returns true if this page load has ended. Late requests from it do not count as presence. */
export function hasUnloaded({ left_lives }: Pick<PageLoads, 'left_lives'>, pageLoadId: PageLoadId): boolean {
  return pageLoadId !== undefined && left_lives.split(' ').includes(pageLoadId);
}

/** Returns true if another page of the visit, a newer one or one in another tab, reported last. */
export function isOtherPage(row: Pick<PageLoads, 'life'>, pageLoadId: PageLoadId): boolean {
  return pageLoadId !== undefined && row.life !== null && row.life !== pageLoadId;
}

/** Returns the ended page loads, with this one added. */
export function addUnloaded({ left_lives }: Pick<PageLoads, 'left_lives'>, pageLoadId: string): string {
  const others = left_lives.split(' ').filter((left) => left !== '' && left !== pageLoadId);
  return [...others, pageLoadId].slice(-MAX_ENDED_LOADS).join(' ');
}

/** Returns the change that stores which page load reported last. */
export function pageLoadChange(pageLoadId: PageLoadId): Partial<Pick<PageLoads, 'life'>> {
  return pageLoadId === undefined ? {} : { life: pageLoadId };
}
