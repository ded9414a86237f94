import { Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import styles from './place.module.css';
import { useScrollToSection } from './use-landing.ts';

/** A section's addresses: the page's with `#id`, and `path` if it has a separate one. */
export type SectionRef = {
  id: string;
  path?: string;
  /** True for the first section; its address then shows the top of the page. */
  first?: true;
};

type Props = Partial<SectionRef> & { title: string; children: ReactNode };

/** A section of a page with its heading. Its address scrolls to it and moves the focus to the heading. */
export function PageSection({ id, path, first, title, children }: Props) {
  const headingId = useId();
  const heading = useScrollToSection(id, path);
  return (
    <Stack component="section" aria-labelledby={headingId} gap="lg" {...(id !== undefined && { id })}>
      <Title
        ref={heading}
        order={2}
        size="h3"
        id={headingId}
        {...(id !== undefined && { tabIndex: -1, className: styles.heading ?? '' })}
        {...(first && { 'data-first': true })}
      >
        {title}
      </Title>
      {children}
    </Stack>
  );
}
