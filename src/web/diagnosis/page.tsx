import { useCallback, useEffect, useRef, useState } from 'react';
import { evaluateFindings, type Findings, nextDiagnosisStep } from '../../domain/diagnosis.ts';
import {
  faultTexts,
  resultText,
  diagnosisTexts as texts,
  untestedText,
  verdictText,
} from '../../texts/diagnosis.ts';
import { deviceOf } from '../device.ts';
import { usePalette } from '../palette.ts';
import { Button } from '../ui/button.tsx';
import { takePass } from '../ui/take-pass.ts';
import { toastError, toastSuccess } from '../ui/toaster/toast.ts';
import { isInAppBrowser } from '../visitor/access/in-app/looks-in-app.ts';
import { menuHint } from '../visitor/access/in-app/which-app.ts';
import { guardBack } from '../visitor/experience/back-guard.ts';
import { endMedia, experienceSong } from '../visitor/experience/media.ts';
import { type Entrance, enter, report } from './calls.ts';
import type { StepProps } from './film-steps.tsx';
import styles from './page.module.css';
import {
  type DiagnosisProgress,
  newProgress,
  readProgress,
  readTabProgress,
  STEPS,
  storeProgress,
} from './progress.ts';
import { Question } from './question.tsx';
import { OneStep } from './steps.tsx';

/** `/diagnostica`: tests a phone days before the evening, without showing any of it (decision 056). */
export function DiagnosisPage() {
  usePalette('theme');
  useEffect(() => {
    document.title = texts.name;
  }, []);
  const { opening, retry } = useEntrance();
  switch (opening.state) {
    case 'opening':
      return <Question title={texts.name} text={texts.opening} />;
    case 'stranger':
      return <Question title={texts.strangerTitle} text={texts.stranger} />;
    case 'over':
      return <Question title={texts.overTitle} text={texts.over} />;
    case 'failed':
      return (
        <Question title={texts.failedTitle} text={opening.messaggio}>
          <Button onClick={retry}>{texts.retry}</Button>
        </Question>
      );
    case 'open':
      return <DiagnosisRun pass={opening.pass} />;
  }
}

type PageState = { state: 'opening' } | (Entrance & { pass: string | null });

/**
 * Enters with the pass in the address, else with the browser's cookie. After the reload that belongs to the diagnosis, no entry is
 * needed.
 */
function useEntrance(): { opening: PageState; retry: () => void } {
  const [opening, setOpening] = useState<PageState>({ state: 'opening' });
  const [entry, setBrought] = useState<{ pass: string | null }>();
  useEffect(() => {
    const take = () => setBrought({ pass: takePass() });
    const onHash = () => {
      if (location.hash !== '') take();
    };
    take();
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  useEffect(() => {
    if (entry === undefined) return;
    let cancelled = false;
    setOpening({ state: 'opening' });
    void enterDiagnosis(entry.pass).then((result) => {
      if (!cancelled) setOpening(result);
    });
    return () => {
      cancelled = true;
    };
  }, [entry]);
  return { opening, retry: () => setBrought((before) => before && { ...before }) };
}

async function enterDiagnosis(pass: string | null): Promise<PageState> {
  const stored = readTabProgress();
  // The next step tests whether the cookie was sent, so the entry must not depend on it.
  if (pass === null && stored !== null && (stored.step === 0 || stored.pass !== null))
    return { state: 'open', pass: stored.pass };
  return { ...(await enter(pass)), pass };
}

/** Returns true for the steps that need the song: `song` starts it, `fade` lowers it. */
const isOfSong = (step: number) => STEPS[step] === 'song' || STEPS[step] === 'fade';

/** Runs the steps in order; each one reports its findings or is skipped. */
function DiagnosisRun({ pass }: { pass: string | null }) {
  const { progress, go, sent, begin, told: resend } = useDiagnosisRun(pass);
  const [backCount, setBacks] = useState(0);
  useEffect(() => guardBack(() => setBacks((count) => count + 1)), []);
  const step = STEPS[progress.step];
  useEffect(() => endMedia, []);
  if (progress.step < 0) return <Intro onBegin={() => begin(progress)} />;
  if (step === undefined)
    return (
      <ResultPage
        findings={progress.findings}
        sent={sent}
        onSend={resend}
        onAgain={() => begin(newProgress(progress.id))}
      />
    );
  const props: StepProps = {
    index: progress.step,
    onResult: (found) => go(progress.step, found),
    onSkip: () => go(progress.step, {}),
  };
  return (
    <OneStep
      key={step}
      step={step}
      props={props}
      progress={progress}
      backs={backCount}
      toFilm={() => go(STEPS.indexOf('film') - 1, {})}
    />
  );
}

function Intro({ onBegin }: { onBegin: () => void }) {
  return (
    <Question title={texts.introTitle} text={texts.intro}>
      <Button wide onClick={onBegin}>
        {texts.begin}
      </Button>
      <p>{texts.introReload}</p>
      {isInAppBrowser() && (
        <p>
          {texts.introInApp} {menuHint()}.
        </p>
      )}
    </Question>
  );
}

function useDiagnosisRun(pass: string | null) {
  const [progress, setProgress] = useState(() => initialProgress(pass));
  const [sent, setSent] = useState<boolean>();

  const sendReport = useCallback(async ({ id, findings, pass: storedPass }: DiagnosisProgress) => {
    setSent(await report({ id, findings, ...(storedPass !== null && { pass: storedPass }) }));
  }, []);
  const go = (step: number, found: Findings) => {
    const findings = { ...progress.findings, ...found };
    // The pass is no longer needed once cookies are known to work.
    const nextPass = findings.cookies === false ? progress.pass : null;
    const next = { ...progress, findings, step: nextDiagnosisStep(step, findings), pass: nextPass };
    if (isOfSong(step) && !isOfSong(next.step)) experienceSong().stop();
    setProgress(next);
    storeProgress(next);
    void sendReport(next);
  };
  /** Starts with a reload, which shows whether cookies and storage persist. */
  const begin = (from: DiagnosisProgress) => {
    storeProgress({ ...from, step: 0, pass: pass ?? from.pass });
    location.reload();
  };
  return { progress, go, sent, begin, told: () => void sendReport(progress) };
}

/** Returns the progress to continue. A new pass after a finished diagnosis starts a new one; an unfinished one continues. */
function initialProgress(pass: string | null): DiagnosisProgress {
  const before = readProgress();
  const startsNew = pass !== null && readTabProgress() === null && before.step >= STEPS.length;
  const progress = startsNew ? newProgress(before.id) : before;
  return withFailedBack(pass === null ? progress : { ...progress, pass });
}

/** Records that the back action left the page, if a step in history loaded it during that test. */
function withFailedBack(progress: DiagnosisProgress): DiagnosisProgress {
  const [entry] = performance.getEntriesByType('navigation');
  const byHistory = entry instanceof PerformanceNavigationTiming && entry.type === 'back_forward';
  if (!byHistory || STEPS[progress.step] !== 'back') return progress;
  const findings = { ...progress.findings, back_held: false };
  return { ...progress, findings, step: nextDiagnosisStep(progress.step, findings) };
}

type Props = {
  findings: Findings;
  /** True if the findings arrived; undefined while unknown. */
  sent: boolean | undefined;
  onSend: () => void;
  onAgain: () => void;
};

/** Shows the result and what to do. The whole text can be copied. */
function ResultPage({ findings, sent, onSend, onAgain }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const result = evaluateFindings(findings);
  const text = resultText(deviceOf(navigator.userAgent).words, result, findings);
  const skippedText = untestedText(result);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toastSuccess(texts.copied);
    } catch {
      field.current?.select();
      toastError(texts.notCopied);
    }
  };
  return (
    <Question title={verdictText(result.verdict)}>
      {result.faults.length > 0 && (
        <ul className={styles.todo} aria-label={texts.todo}>
          {result.faults.map((id) => (
            <li key={id}>
              {faultTexts[id]}
              {id === 'in_app' && ` ${menuHint()}.`}
            </li>
          ))}
        </ul>
      )}
      {skippedText !== '' && <p className={styles.small}>{skippedText}</p>}
      {sent !== undefined && (
        <p role="status" className={styles.small}>
          {sent ? texts.sent : texts.unsent}
        </p>
      )}
      {sent === false && (
        <Button wide look="quiet" onClick={onSend}>
          {texts.retry}
        </Button>
      )}
      <Button wide onClick={() => void copy()}>
        {texts.copy}
      </Button>
      <textarea ref={field} className={styles.copy} readOnly aria-label={texts.copy} value={text} />
      <Button wide look="quiet" onClick={onAgain}>
        {texts.again}
      </Button>
    </Question>
  );
}
