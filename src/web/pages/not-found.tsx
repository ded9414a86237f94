import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { pageTexts } from '../../texts/pages.ts';
import { useGround } from '../ground.ts';
import { buttonClass } from '../ui/button.tsx';
import styles from './page.module.css';

/** The 404 page (spec 2): says so, leads home, and logs the path. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  useGround('night');
  useEffect(() => console.error('404: no page at this path:', pathname), [pathname]);
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>{pageTexts.notFound}</h1>
      <p className={styles.hint}>{pageTexts.notFoundHint}</p>
      <Link to="/" className={buttonClass()}>
        {pageTexts.backHome}
      </Link>
    </main>
  );
}
