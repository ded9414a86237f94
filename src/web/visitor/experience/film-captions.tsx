import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Captions as FilmsCaptions } from '../../../domain/media.ts';
import { isRunning } from '../../../experience/video-lock/lock-types.ts';
import { Captions } from '../../scenes/captions.tsx';
import { followCaptions } from '../../ui/captions-track.ts';
import type { VideoStage } from '../media/stage.ts';
import { mediaHost } from '../media-host.ts';

type Props = { stage: Pick<VideoStage, 'state' | 'subscribe'>; captions: FilmsCaptions };

/** Shows the captions only while the film runs, so that none are below a button. */
export function FilmCaptions({ stage, captions: { url, always } }: Props) {
  const [text, setText] = useState('');
  const { phase } = useSyncExternalStore(stage.subscribe, stage.state);
  useEffect(() => followCaptions(mediaHost().video, { url, always }, setText), [url, always]);
  return <Captions text={isRunning({ phase }) ? text : ''} />;
}
