/** Cuts an id to `signs` characters (spec 9 «Device id shown truncated»). */
export function shorten(id: string, signs: number): string {
  return id.length <= signs ? id : `${id.slice(0, signs)}…`;
}
