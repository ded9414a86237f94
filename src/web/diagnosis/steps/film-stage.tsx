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
  /** Called with the stage when it is there; what it returns is called when it goes. */
  onOpen: (stage: VideoStage) => () => void;
  onEvent: (event: VideoStageEvent) => void;
  /** Inside the taps that start the film and let it go on. */
  onStart: () => void;
  onResume?: () => void;
  /** Over the film, at its foot. */
  children: ReactNode;
};

/** The evening's own stage, with the trial's film on it. */
export function FilmStage({ url, onOpen, onEvent, onStart, onResume, children }: Props) {
  const [stage, setStage] = useState<VideoStage>();
  const opened = useEffectEvent(onOpen);
  const heard = useEffectEvent(onEvent);
  useEffect(() => {
    const made = openFilm({ content: filmContent(url), startAt: 0, onEvent: (event) => heard(event) });
    const forget = opened(made);
    setStage(made);
    return () => {
      forget();
      made.destroy();
    };
  }, [url]);
  if (stage === undefined) return null;
  const start = () => {
    // First what a tap is good for once only.
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
