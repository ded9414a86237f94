import type { ReactNode } from 'react';
import { ago, momentOf } from '../../../../texts/admin/formats.ts';
import { longMoment } from '../../../../texts/dates.ts';
import styles from './session-card.module.css';

/** Facts of a visit with their names. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A time, absolute and relative. */
export function Moment({ at, now }: { at: string; now: Date }) {
  return (
    <time dateTime={at} title={longMoment(at)}>
      {momentOf(at)} <span className={styles.ago}>({ago(at, now)})</span>
    </time>
  );
}
