import { Link, useLocation } from 'react-router';
import { commonTexts } from '../../../../texts/admin/common.ts';
import styles from './place-links.module.css';

type Props = {
  /** The address of each place, and what it is called. */
  links: readonly (readonly [to: string, name: string])[];
};

/** The parts of a long page, at its head: each one tap away. */
export function SectionLinks({ links }: Props) {
  const { pathname, hash } = useLocation();
  return (
    <nav aria-label={commonTexts.places} className={styles.links}>
      {links.map(([to, name]) => (
        <Link key={to} to={to} className={styles.link} aria-current={to === pathname + hash || undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
