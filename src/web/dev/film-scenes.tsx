import type { LockPhase } from '../../experience/video-lock/lock-types.ts';
import { usePalette } from '../palette.ts';
import { Captions } from '../scenes/captions.tsx';
import { OverFilm } from '../visitor/experience/video-screen.tsx';
import film from '../visitor/media/film.module.css';
import type { VideoStageState } from '../visitor/media/stage-state.ts';
import { EveningAt } from './evening.tsx';
import { POSTER, twoTrips } from './sample.ts';
import type { Scene } from './scenes.tsx';

const IDLE: VideoStageState = {
  phase: 'idle',
  canStart: true,
  prebuffer: 'ready',
  filled: 1,
  buffered: 1,
  second: 0,
  fullScreen: 'css',
};

/** Names of all lock phases; the compiler requires new ones here. */
const PHASES: Record<LockPhase, string> = {
  idle: 'ready to start',
  starting: 'starting',
  playing: 'playing',
  stalled: 'stalled',
  blocked: 'blocked',
  osPaused: 'paused by the phone',
  failed: 'failed',
  ended: 'ended',
};

export const filmScenes: Scene[] = [
  {
    name: 'the real one',
    draw: () => <EveningAt place={{ content: twoTrips, at: { stage: 'video', viaggio: 1 } }} />,
  },
  over('being prepared', { ...IDLE, canStart: false, prebuffer: 'preparing', filled: 0.1 }),
  over('on a slow line', { ...IDLE, prebuffer: 'filling', filled: 0.4 }),
  over('playing, with captions', { ...IDLE, phase: 'playing' }, 'Era la nostra prima sera\ne pioveva.'),
  ...Object.entries(PHASES).map(([phase, name]) => over(name, { ...IDLE, phase: phase as LockPhase })),
];

function over(name: string, state: VideoStageState, captions = ''): Scene {
  return { name, draw: () => <Covered state={state} captions={captions} /> };
}

/** Renders the layer over the film, with the poster in place of the film. */
function Covered({ state, captions }: { state: VideoStageState; captions: string }) {
  usePalette('night');
  const nothing = () => {};
  const stage = {
    state: () => state,
    subscribe: () => nothing,
    start: nothing,
    resume: nothing,
    retry: nothing,
  };
  return (
    <div className={film['film']}>
      <img className={film['poster']} src={POSTER} alt="" />
      <div className={film['overlay']}>
        <Captions text={captions} />
        <OverFilm stage={stage} video_button_text={twoTrips.config.video_button_text ?? ''} />
      </div>
    </div>
  );
}
