import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Findings } from '../../domain/diagnosis.ts';
import { stepTexts, diagnosisTexts as texts } from '../../texts/diagnosis.ts';
import { Button } from '../ui/button.tsx';
import { experienceSong, openFilm } from '../visitor/experience/media.ts';
import { OverFilm } from '../visitor/experience/video-screen.tsx';
import { preloadSong } from '../visitor/media/preload.ts';
import type { VideoStage, VideoStageEvent } from '../visitor/media/stage.ts';
import { unlockMedia } from '../visitor/media-host.ts';
import { FILM_URL, filmContent, LONG_FILM_URL, SONG_URL } from './files.ts';
import styles from './page.module.css';
import { Question } from './question.tsx';
import { type FilmWatch, watchFilm } from './watch-film.ts';

/** Props of every step. */
export type StepProps = {
  /** Index of the step, from 0. */
  index: number;
  /** Continues with the findings of this step. */
  onResult: (found: Findings) => void;
  onSkip: () => void;
};

type Props = {
  url: string;
  /** Called with the new stage; returns the function to call when it is removed. */
  onOpen: (stage: VideoStage) => () => void;
  onEvent: (event: VideoStageEvent) => void;
  /** Called inside the taps that start or resume the film. */
  onStart: () => void;
  onResume?: () => void;
  /** Content over the film, at its foot. */
  children: ReactNode;
};

/** Plays a film of the diagnosis on the evening's own stage. */
function FilmStage({ url, onOpen, onEvent, onStart, onResume, children }: Props) {
  const [stage, setStage] = useState<VideoStage>();
  const notifyOpened = useEffectEvent(onOpen);
  const handleEvent = useEffectEvent(onEvent);
  useEffect(() => {
    const created = openFilm({
      content: filmContent(url),
      startAt: 0,
      onEvent: (event) => handleEvent(event),
    });
    const cleanUp = notifyOpened(created);
    setStage(created);
    return () => {
      cleanUp();
      created.destroy();
    };
  }, [url]);
  if (stage === undefined) return null;
  const start = () => {
    // The stage starts first: some browser permissions last for one call per tap.
    stage.start();
    onStart();
  };
  const resume = () => {
    onResume?.();
    stage.resume();
  };
  return createPortal(
    <>
      <OverFilm stage={{ ...stage, start, resume }} video_button_text={texts.startFilm} />
      <div className={styles.overFilm}>{children}</div>
    </>,
    stage.overlay,
  );
}

/** Plays the film as in the evening, from the tap to its end. The song then starts automatically. */
export function FilmStep({ index, onResult, onSkip }: StepProps) {
  const [open, setOpen] = useState(false);
  const watch = useRef<FilmWatch>(null);
  if (!open) {
    const next = () => {
      unlockMedia();
      setOpen(true);
    };
    return (
      <Question {...stepTexts.film} step={index} onSkip={onSkip}>
        <Button wide onClick={next}>
          {texts.next}
        </Button>
      </Question>
    );
  }
  const finish = (film: 'played' | 'refused' | 'failed') =>
    onResult(watch.current?.findings(film) ?? { film });
  const onFilmEvent = (event: VideoStageEvent) => {
    switch (event.type) {
      case 'second':
        return;
      case 'nearlyDone':
        return preloadSong(SONG_URL);
      case 'ended':
        experienceSong().start({ url: SONG_URL, viaggio: 1 });
        return finish('played');
      case 'cannotStart':
        return finish('refused');
      case 'gaveUp':
        return finish('failed');
    }
  };
  return (
    <FilmStage
      url={FILM_URL}
      onOpen={(stage) => {
        const started = watchFilm(stage);
        watch.current = started;
        return started.stop;
      }}
      onEvent={onFilmEvent}
      onStart={() => watch.current?.tapped()}
    >
      <button type="button" onClick={onSkip}>
        {texts.stopFilm}
      </button>
    </FilmStage>
  );
}

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
