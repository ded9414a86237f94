import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { videoSecond } from '../../../experience/selectors.ts';
import type { VisitActor } from '../../../experience/visit-machine.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { ActionButton } from '../../scenes/action.tsx';
import { StatusMessage } from '../../scenes/sentence.tsx';
import { VideoStart } from '../../scenes/video-start.tsx';
import { nextTask } from '../../ui/waiting.ts';
import { preloadSong } from '../media/preload.ts';
import type { VideoStage, VideoStageEvent, VideoStageOptions } from '../media/stage.ts';
import { openFilm } from './media.ts';
import { NoticeLine } from './notice-line.tsx';
import { showNotice } from './notices.ts';
import type { ScreenProps } from './screen-props.ts';
import { useStageContent } from './stage-content.ts';

/** Only some films have captions. Their code loads while the film waits for its tap; without it the film plays without captions. */
const FilmCaptions = lazy(() =>
  import('./film-captions.tsx').then(
    (it) => ({ default: it.FilmCaptions }),
    () => ({ default: () => <></> }),
  ),
);

/** The locked film: its start button, and only indispensable content over the running film. */
export function VideoScreen({ actor }: ScreenProps) {
  const content = useStageContent(actor, 'video');
  const stage = useFilm(actor, content);
  return stage === undefined || content === null
    ? null
    : createPortal(
        <>
          <Suspense>
            {content.captions !== null && <FilmCaptions stage={stage} captions={content.captions} />}
          </Suspense>
          <OverFilm stage={stage} video_button_text={content.video_button_text} />
          <NoticeLine />
        </>,
        stage.overlay,
      );
}

type Film = VideoStageOptions['content'] & { video_button_text: string };

/** Opens one film for the duration of the stage and passes its events to the chart. */
function useFilm(actor: VisitActor, content: Film | null): VideoStage | undefined {
  const [stage, setStage] = useState<VideoStage>();
  // A stage's content never changes while it is current.
  const [film] = useState(content);
  useEffect(() => {
    if (film === null) return;
    let close = () => {};
    let isMounted = true;
    nextTask(() => {
      if (!isMounted) return;
      const startAt = videoSecond(actor.getSnapshot());
      const opened = openFilm({ content: film, startAt, onEvent: (event) => pass(event, actor) });
      close = opened.destroy;
      setStage(opened);
    });
    return () => {
      isMounted = false;
      close();
    };
  }, [actor, film]);
  return stage;
}

function pass(event: VideoStageEvent, actor: VisitActor): void {
  switch (event.type) {
    case 'second':
      return actor.send({ type: 'VIDEO_SECOND', second: event.second });
    case 'nearlyDone':
      return prefetchSong(actor);
    case 'ended':
      return actor.send({ type: 'VIDEO_ENDED' });
    case 'gaveUp':
      return actor.send({ type: 'VIDEO_FAILED' });
    case 'cannotStart':
      showNotice('error', texts.videoNotStarted);
      actor.getSnapshot().context.ports.reportError('video_start');
  }
}

/** The song must be ready when the film ends. */
function prefetchSong(actor: VisitActor): void {
  const url = actor.getSnapshot().context.visit?.canzone_url;
  if (url != null) preloadSong(url);
}

type OverFilmProps = { stage: Omit<VideoStage, 'overlay' | 'destroy'>; video_button_text: string };

const BEGINS: ReadonlySet<string> = new Set(['idle', 'starting', 'playing']);

/** Content over the film. */
export function OverFilm({ stage, video_button_text }: OverFilmProps) {
  const { phase, canStart, prebuffer, filled } = useSyncExternalStore(stage.subscribe, stage.state);
  // The start button has faded, or another screen replaced it.
  const [isOpen, setIsOpen] = useState(phase !== 'idle');
  if (!isOpen && !BEGINS.has(phase)) setIsOpen(true);
  switch (phase) {
    case 'idle':
    case 'starting':
    case 'playing':
      return isOpen && phase !== 'idle' ? null : (
        <VideoStart
          video_button_text={video_button_text}
          poster_url={null}
          ready={canStart || phase !== 'idle'}
          filled={prebuffer === 'filling' ? filled : null}
          onStart={stage.start}
          isLeaving={phase !== 'idle'}
          onFaded={() => setIsOpen(true)}
        />
      );
    case 'stalled':
      return <StatusMessage text={texts.loading} />;
    case 'blocked':
    case 'osPaused':
      return (
        <StatusMessage text="">
          <ActionButton onClick={stage.resume}>{texts.tapToContinue}</ActionButton>
        </StatusMessage>
      );
    case 'failed':
      return (
        <StatusMessage text={texts.videoFailed}>
          <ActionButton onClick={stage.retry}>{texts.retry}</ActionButton>
        </StatusMessage>
      );
    case 'ended':
      return null;
  }
}
