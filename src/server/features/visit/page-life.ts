import type { SessionRow } from './sessions.repo.ts';

/** Id of a page load; undefined for a page of a version without ids. */
export type PageLoadId = string | undefined;

type PageLoads = Pick<SessionRow, 'life' | 'left_lives'>;

/** Maximum number of ended page loads per session. No request is in flight during that many reloads. */
const REMEMBERED = 20;

/** Returns true if this page load has ended. Late requests from it do not count as presence. */
export function hasUnloaded({ left_lives }: Pick<PageLoads, 'left_lives'>, life: PageLoadId): boolean {
  return life !== undefined && left_lives.split(' ').includes(life);
}

/** Returns true if another page of the visit, a newer one or one in another tab, reported last. */
export function isOtherPage(row: Pick<PageLoads, 'life'>, life: PageLoadId): boolean {
  return life !== undefined && row.life !== null && row.life !== life;
}

/** Returns the ended page loads, with this one added. */
export function addUnloaded({ left_lives }: Pick<PageLoads, 'left_lives'>, life: string): string {
  const others = left_lives.split(' ').filter((left) => left !== '' && left !== life);
  return [...others, life].slice(-REMEMBERED).join(' ');
}

/** Returns the change that stores which page load reported last. */
export function pageLoadChange(life: PageLoadId): Partial<Pick<PageLoads, 'life'>> {
  return life === undefined ? {} : { life };
}
