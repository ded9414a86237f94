import { useRef, useState } from 'react';
import type { Findings } from '../../../domain/diagnosis.ts';
import { stepTexts, diagnosisTexts as texts } from '../../../texts/diagnosis.ts';
import { Button } from '../../ui/button.tsx';
import type { VideoStage } from '../../visitor/media/stage.ts';
import { unlockMedia } from '../../visitor/media-host.ts';
import { LONG_FILM_URL } from '../files.ts';
import { Question } from '../question.tsx';
import { FilmStage } from './film-stage.tsx';
import type { StepProps } from './step-props.ts';

/** Tests whether the film resumes after another app was in front or the screen was locked. */
export function AwayStep({ index, onResult, onSkip, step }: StepProps & { step: 'away' | 'lock' }) {
  const [open, setOpen] = useState(false);
  const [back, setBack] = useState(false);
  const tapped = useRef(false);
  if (!open) {
    const next = () => {
      unlockMedia();
      setOpen(true);
    };
    return (
      <Question {...stepTexts[step]} step={index} onSkip={onSkip}>
        <Button wide onClick={next}>
          {texts.next}
        </Button>
      </Question>
    );
  }
  const report = (result: NonNullable<Findings['away']>) => onResult({ [step]: result });
  return (
    <FilmStage
      url={LONG_FILM_URL}
      onOpen={(stage) =>
        watchReturn(stage, {
          back: () => setBack(true),
          onResumed: () => report(tapped.current ? 'tap' : 'by_itself'),
        })
      }
      onEvent={({ type }) => {
        if (type === 'ended') setOpen(false);
        if (type === 'cannotStart' || type === 'gaveUp') onResult(back ? { [step]: 'stuck' } : {});
      }}
      onStart={() => undefined}
      onResume={() => {
        tapped.current = back;
      }}
    >
      {!back && <p>{step === 'away' ? texts.goAway : texts.goLock}</p>}
      <button type="button" onClick={back ? () => report('stuck') : onSkip}>
        {back ? texts.stuck : texts.stopFilm}
      </button>
    </FilmStage>
  );
}

type AwayCallbacks = { back: () => void; onResumed: () => void };

/** Calls `back` when the user returns after leaving during playback, then `onResumed` when the film plays again. */
function watchReturn(stage: VideoStage, { back, onResumed }: AwayCallbacks): () => void {
  const stop = new AbortController();
  let visitPhase: 'here' | 'away' | 'back' | 'done' = 'here';
  let hasPlayed = false;
  const check = () => {
    hasPlayed ||= stage.state().phase === 'playing';
    if (visitPhase !== 'back' || stage.state().phase !== 'playing') return;
    visitPhase = 'done';
    onResumed();
  };
  const onVisibility = () => {
    if (document.visibilityState === 'hidden' && visitPhase === 'here' && hasPlayed) visitPhase = 'away';
    if (document.visibilityState !== 'visible' || visitPhase !== 'away') return;
    visitPhase = 'back';
    back();
    check();
  };
  document.addEventListener('visibilitychange', onVisibility, { signal: stop.signal });
  const unsubscribe = stage.subscribe(check);
  return () => {
    stop.abort();
    unsubscribe();
  };
}
