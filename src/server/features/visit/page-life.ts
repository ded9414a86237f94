import type { SessionRow } from './sessions.repo.ts';

/** The id of a page's life; undefined for a page that was loaded before pages had one. */
export type PageLoadId = string | undefined;

type PageLoads = Pick<SessionRow, 'life' | 'left_lives'>;

/** So many farewells are remembered: a request isn't under way for longer than it takes to reload a page that often. */
const REMEMBERED = 20;

/** Has this life said farewell? What still arrives from it is no sign of anybody's being there. */
export function hasUnloaded({ left_lives }: Pick<PageLoads, 'left_lives'>, life: PageLoadId): boolean {
  return life !== undefined && left_lives.split(' ').includes(life);
}

/** Is another page of the visit, a newer one or one in another tab, the one that was heard last? */
export function isOtherPage(row: Pick<PageLoads, 'life'>, life: PageLoadId): boolean {
  return life !== undefined && row.life !== null && row.life !== life;
}

/** The farewells with one more. */
export function addUnloaded({ left_lives }: Pick<PageLoads, 'left_lives'>, life: string): string {
  const others = left_lives.split(' ').filter((left) => left !== '' && left !== life);
  return [...others, life].slice(-REMEMBERED).join(' ');
}

/** The change that notes who was heard. */
export function pageLoadChange(life: PageLoadId): Partial<Pick<PageLoads, 'life'>> {
  return life === undefined ? {} : { life };
}
