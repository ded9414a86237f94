import { type ReactNode, useEffect, useRef } from 'react';
import styles from './message.module.css';

/** A text page before or after a local evening. Its title takes the focus, so that screen readers announce the change. */
export function Message({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main className={styles.page}>
      <div className={styles.text}>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {children}
      </div>
    </main>
  );
}
