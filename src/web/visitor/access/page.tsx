import { lazy, Suspense, useEffect, useState } from 'react';
import { accessTexts, confidentialityNotice } from '../../../texts/access.ts';
import { usePalette } from '../../palette.ts';
import { prepareToasts } from '../../ui/toaster/toast.ts';
import { CodeForm } from './code-form.tsx';
import { FloatingIcons } from './floating-icons.tsx';
import { looksInApp } from './in-app/looks-in-app.ts';
import styles from './page.module.css';
import { ResumeOffer } from './resume-offer.tsx';
import { Seal } from './seal.tsx';
import { useSite } from './use-site.ts';

const InAppHint = lazy(() => import('./in-app/hint.tsx').catch(() => ({ default: () => null })));

/** The access screen (spec 2): a sealed letter that asks for its code. */
export function AccessPage() {
  usePalette('theme');
  const site = useSite();
  const [working, setWorking] = useState(false);
  const idle = useIdle();
  return (
    <div className={styles.page}>
      <FloatingIcons />
      <main className={styles.main}>
        {idle && looksInApp() && (
          <Suspense>
            <InAppHint />
          </Suspense>
        )}
        <div className={styles.card}>
          <Seal warm={working} />
          <div className={styles.content}>
            <h1 className={styles.title}>{accessTexts.title}</h1>
            {site?.resumable && <ResumeOffer />}
            <CodeForm second={site?.resumable ?? false} onWorking={setWorking} />
          </div>
        </div>
      </main>
      <footer className={styles.footer}>
        {confidentialityNotice({ data_laurea: site?.data_laurea ?? null, closed: site?.closed ?? false })}
      </footer>
    </div>
  );
}

/** True once the page has been still for a while: then what the first trouble needs is fetched. */
function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const prepare = () => {
      setIdle(true);
      prepareToasts().catch(() => {});
    };
    // Safari has no idle callback.
    const timer = setTimeout(prepare, 2_000);
    return () => clearTimeout(timer);
  }, []);
  return idle;
}
