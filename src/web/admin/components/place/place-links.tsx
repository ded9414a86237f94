import { Link, useLocation } from 'react-router';
import { commonTexts } from '../../../../texts/admin/common.ts';
import styles from './place-links.module.css';

type Props = {
  /** Address and name of each section. */
  links: readonly (readonly [to: string, name: string])[];
};

/** Links to the sections of a long page. */
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
