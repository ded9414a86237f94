import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { diagnosisTexts as texts } from '../../../texts/diagnosis.ts';
import { openFilm } from '../../visitor/experience/media.ts';
import { OverFilm } from '../../visitor/experience/video-screen.tsx';
import type { VideoStage, VideoStageEvent } from '../../visitor/media/stage.ts';
import { filmContent } from '../files.ts';
import styles from '../page.module.css';

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
export function FilmStage({ url, onOpen, onEvent, onStart, onResume, children }: Props) {
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
