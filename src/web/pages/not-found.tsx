import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { pageTexts } from '../../texts/access.ts';
import { usePalette } from '../palette.ts';
import { buttonClass } from '../ui/button.tsx';
import styles from './page.module.css';

/** Wrong addresses below this prefix come from the administrator, who also gets a link to the dashboard. */
const ADMIN_PAGES_BELOW = '/admin/';

/** The 404 page (spec 2): links home and logs the path. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  usePalette('night');
  useEffect(() => console.error('404: no page at this path:', pathname), [pathname]);
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>{pageTexts.notFound}</h1>
      <p className={styles.hint}>{pageTexts.notFoundHint}</p>
      <div className={styles.actions}>
        {pathname.startsWith(ADMIN_PAGES_BELOW) && (
          <Link to="/admin/dashboard" className={buttonClass()}>
            {pageTexts.backToDashboard}
          </Link>
        )}
        <Link
          to="/"
          className={buttonClass({ look: pathname.startsWith(ADMIN_PAGES_BELOW) ? 'quiet' : 'gold' })}
        >
          {pageTexts.backHome}
        </Link>
      </div>
    </main>
  );
}
