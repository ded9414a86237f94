/**
 * Where a phone opens the rehearsal. The pass is the address's fragment: no server and no log on the way sees it.
 * Without a known address of the site, the one this page is at.
 */
export function passLink({ pass, public_url }: { pass: string; public_url: string | null }): URL {
  const link = new URL('/prova', public_url ?? location.origin);
  link.hash = pass;
  return link;
}
