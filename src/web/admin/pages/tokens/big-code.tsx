import { VisuallyHidden } from '@mantine/core';

/** Signs between two gaps: as many as an eye carries from paper to a screen. */
const GROUP = 4;

/** A code in groups, to be read off by eye; who listens gets it whole. */
export function BigCode({ token, className }: { token: string; className: string | undefined }) {
  return (
    <p className={className}>
      <VisuallyHidden>{token}</VisuallyHidden>
      {codeGroups(token).map((group, index) => (
        <span key={`${index}${group}`} aria-hidden>
          {group}
        </span>
      ))}
    </p>
  );
}

/** A code in the parts it is read in: `ROM-7KX2M9QD` becomes `ROM`, `7KX2`, `M9QD`. Typed with gaps it opens all the same. */
export function codeGroups(token: string): string[] {
  return token.split('-').flatMap((part) => part.match(new RegExp(`.{1,${GROUP}}`, 'gu')) ?? []);
}
