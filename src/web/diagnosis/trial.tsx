import { useCallback, useEffect, useState } from 'react';
import { type DiagnosisStep, type Findings, nextDiagnosisStep } from '../../domain/diagnosis.ts';
import { diagnosisTexts as texts } from '../../texts/diagnosis.ts';
import { Button } from '../ui/button.tsx';
import { isInAppBrowser } from '../visitor/access/in-app/looks-in-app.ts';
import { menuHint } from '../visitor/access/in-app/which-app.ts';
import { guardBack } from '../visitor/experience/back-guard.ts';
import { endMedia, experienceSong } from '../visitor/experience/media.ts';
import { report } from './calls.ts';
import { ResultPage } from './outcome.tsx';
import {
  type DiagnosisProgress,
  newProgress,
  readProgress,
  readTabProgress,
  STEPS,
  storeProgress,
} from './progress.ts';
import { Question } from './question.tsx';
import { AwayStep } from './steps/away.tsx';
import { BackStep } from './steps/back.tsx';
import { FilmStep } from './steps/film.tsx';
import { LineStep, PhoneStep } from './steps/found.tsx';
import { ButtonsStep, PictureStep, SoundStep } from './steps/seen.tsx';
import { FadeStep, SongStep } from './steps/song.tsx';
import type { StepProps } from './steps/step-props.ts';
import { TicketStep } from './steps/ticket.tsx';
import { TurnStep } from './steps/turn.tsx';

/** Returns true for the steps that need the song: `song` starts it, `fade` lowers it. */
const isOfSong = (step: number) => STEPS[step] === 'song' || STEPS[step] === 'fade';

/** Runs the steps in order; each one reports its findings or is skipped. */
export function DiagnosisRun({ pass }: { pass: string | null }) {
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

type OneStepProps = {
  step: DiagnosisStep;
  props: StepProps;
  progress: DiagnosisProgress;
  backs: number;
  toFilm: () => void;
};

function OneStep({ step, props, progress, backs: backCount, toFilm }: OneStepProps) {
  switch (step) {
    case 'phone':
      return <PhoneStep {...props} progress={progress} />;
    case 'line':
      return <LineStep {...props} />;
    case 'film':
      return <FilmStep {...props} />;
    case 'song':
      return <SongStep {...props} />;
    case 'fade':
      return <FadeStep {...props} />;
    case 'sound':
      return <SoundStep {...props} onAgain={toFilm} />;
    case 'picture':
      return <PictureStep {...props} />;
    case 'buttons':
      return <ButtonsStep {...props} />;
    case 'turn':
      return <TurnStep {...props} />;
    case 'back':
      return <BackStep {...props} backs={backCount} />;
    case 'away':
    case 'lock':
      return <AwayStep {...props} step={step} />;
    case 'ticket':
      return <TicketStep {...props} />;
  }
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
