import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { accessTexts, footerSentence } from '../../../texts/access.ts';
import { type Site, site } from '../../api/visit.ts';
import { openWith, prepareExperience } from '../../experience-chunk.ts';
import { usePalette } from '../../palette.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { prepareToasts } from '../../ui/toaster/toast.ts';
import { ended, toLetterProps, useLetter } from '../letter.ts';
import { CodeForm } from './code-form.tsx';
import { prepareEntry } from './enter-tap.ts';
import { FloatingIcons } from './floating-icons.tsx';
import { isInAppBrowser } from './in-app/looks-in-app.ts';
import styles from './page.module.css';
import { Seal } from './seal.tsx';

const InAppHint = lazy(() => import('./in-app/hint.tsx').catch(() => ({ default: () => null })));

/** The access screen (spec 2): a sealed letter that asks for its code. Not interactive while it opens. */
export function AccessPage() {
  const endedEvening = useSyncExternalStore(ended.subscribe, ended.state, ended.state);
  usePalette(endedEvening === null ? 'theme' : 'night');
  const site = useSite();
  const [working, setWorking] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const letterProps = toLetterProps(useLetter());
  const idle = useIdle();
  return (
    <div className={styles.page} {...letterProps}>
      <FloatingIcons />
      <main className={styles.main}>
        {idle && endedEvening === null && isInAppBrowser() && (
          <Suspense>
            <InAppHint />
          </Suspense>
        )}
        <div className={styles.card} data-closed={endedEvening !== null}>
          <Seal warm={working} refusals={refusals} />
          {endedEvening === null ? (
            <div className={styles.content}>
              <h1 className={styles.title}>{accessTexts.title}</h1>
              {site?.resumable && <ResumeOffer />}
              <CodeForm
                isSecondary={site?.resumable ?? false}
                working={working}
                onWorking={setWorking}
                onRefused={() => setRefusals(refusals + 1)}
              />
              {site?.keepsake && (
                <a href="/ricordo" className={styles.keepsake}>
                  {accessTexts.keepsake}
                </a>
              )}
            </div>
          ) : (
            <h1 dir="auto" className={styles.addressee} data-hand={endedEvening.isHandwritten} data-addressee>
              <span>{endedEvening.name ?? accessTexts.title}</span>
            </h1>
          )}
        </div>
        {endedEvening !== null && (
          <div className={styles.after}>
            {site?.keepsake && (
              <a href="/ricordo" className={buttonClass({ wide: true })}>
                {accessTexts.keepsake}
              </a>
            )}
            <Button look="quiet" wide onClick={askForCode}>
              {accessTexts.haveCode}
            </Button>
          </div>
        )}
      </main>
      <Footer site={site} />
    </div>
  );
}

/** Facts for the footer until the server has answered. */
const UNKNOWN = { data_laurea: null, closed: false, footer_text: null };

function Footer({ site }: { site: Site | undefined }) {
  return (
    <footer dir="auto" className={styles.footer} data-known={site !== undefined}>
      {footerSentence(site ?? UNKNOWN)}
      {site?.privacy_notice && (
        <details className={styles.privacy}>
          <summary>{accessTexts.privacy}</summary>
          <p dir="auto">{site.privacy_notice}</p>
        </details>
      )}
    </footer>
  );
}

/** Replaces the closed envelope by the form and focuses its field. */
function askForCode(): void {
  flushSync(() => ended.set(null));
  document.querySelector('input')?.focus();
}

/** Returns true 2 s after the page load, and then prefetches the code that first errors need. */
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

/** Offers to resume this browser's unfinished visit with one tap, without the code. */
function ResumeOffer() {
  const navigate = useNavigate();
  useEffect(prepareExperience, []);
  const onResume = () => {
    prepareEntry();
    openWith(({ openLetter }) => openLetter());
    void navigate('/experience', { replace: true });
  };
  return (
    <div className={styles.resume}>
      <p className={styles.welcome}>{accessTexts.welcomeBack}</p>
      <Button wide onClick={onResume}>
        {accessTexts.resume}
      </Button>
      <p className={styles.or}>{accessTexts.or}</p>
    </div>
  );
}

/**
 * Returns the server's state of the access screen; undefined until it is loaded. Reads it again when the page is restored from the cache.
 */
function useSite(): Site | undefined {
  const [state, setState] = useState<Site>();
  useEffect(() => {
    let isMounted = true;
    const ask = async () => {
      const reply = await site();
      if (isMounted && reply.ok) setState(reply.value);
      if (!reply.ok) console.warn(reply);
    };
    const shown = (event: PageTransitionEvent) => event.persisted && void ask();
    void ask();
    window.addEventListener('pageshow', shown);
    return () => {
      isMounted = false;
      window.removeEventListener('pageshow', shown);
    };
  }, []);
  return state;
}
