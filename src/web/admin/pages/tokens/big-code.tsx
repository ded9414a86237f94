import { VisuallyHidden } from '@mantine/core';

/** Characters per group, few enough to copy from paper to a screen. */
const GROUP = 4;

/** A code in groups for reading; screen readers get it unbroken. */
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

/** Splits a code into groups: `ROM-7KX2M9QD` becomes `ROM`, `7KX2`, `M9QD`. A code typed with spaces is valid. */
export function codeGroups(token: string): string[] {
  return token.split('-').flatMap((part) => part.match(new RegExp(`.{1,${GROUP}}`, 'gu')) ?? []);
}
