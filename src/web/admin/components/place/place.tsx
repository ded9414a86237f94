import { Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import styles from './place.module.css';
import { useScrollToSection } from './use-landing.ts';

/** Where on its page something stands, and which addresses lead there: the page's with `#id`, and `path`, if it has one of its own. */
export type SectionRef = {
  id: string;
  path?: string;
  /** The page begins with it: who is led here sees the page's head, too. */
  first?: true;
};

type Props = Partial<SectionRef> & { title: string; children: ReactNode };

/** A part of a page, under its heading. Whoever is led to it finds it in view, and reading goes on there. */
export function PageSection({ id, path, first, title, children }: Props) {
  const named = useId();
  const heading = useScrollToSection(id, path);
  return (
    <Stack component="section" aria-labelledby={named} gap="lg" {...(id !== undefined && { id })}>
      <Title
        ref={heading}
        order={2}
        size="h3"
        id={named}
        {...(id !== undefined && { tabIndex: -1, className: styles.heading ?? '' })}
        {...(first && { 'data-first': true })}
      >
        {title}
      </Title>
      {children}
    </Stack>
  );
}
