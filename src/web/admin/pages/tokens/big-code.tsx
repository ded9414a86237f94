import { VisuallyHidden } from '@mantine/core';
import { codeGroups } from './grouped-code.ts';

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
