import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { pageTexts } from '../../texts/access.ts';
import { usePalette } from '../palette.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { isFailedChunk, useReload } from '../use-reload.ts';
import styles from './page.module.css';

/** The router's error page (spec 2). A reload resumes the visit, which the server holds; a missing chunk reloads the page automatically. */
export function ErrorPage() {
  const error = useRouteError();
  usePalette('night');
  useEffect(() => console.error(error), [error]);
  if (useReload(isFailedChunk(error) ? error : null)) return null;
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>{pageTexts.unexpectedError}</h1>
      <p className={styles.hint}>{pageTexts.unexpectedErrorHint}</p>
      <div className={styles.actions}>
        <Button onClick={() => location.reload()}>{pageTexts.retry}</Button>
        {/* Loads a new page: discards the broken state. */}
        <a href="/" className={buttonClass({ look: 'quiet' })}>
          {pageTexts.backHome}
        </a>
      </div>
    </main>
  );
}
