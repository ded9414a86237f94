/** Signs between two gaps: as many as an eye carries from paper to a screen. */
const GROUP = 4;

/** A code in the parts it is read in: `ROM-7KX2M9QD` becomes `ROM`, `7KX2`, `M9QD`. Typed with gaps it opens all the same. */
export function codeGroups(token: string): string[] {
  return token.split('-').flatMap((part) => part.match(new RegExp(`.{1,${GROUP}}`, 'gu')) ?? []);
}
