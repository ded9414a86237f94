/** A long id cut to that many signs; whole where it fits (spec 9 «Device id shown truncated»). */
export function shorten(id: string, signs: number): string {
  return id.length <= signs ? id : `${id.slice(0, signs)}…`;
}
