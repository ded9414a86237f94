import { step } from '../../../experience/video-lock/lock.ts';
import {
  type Announcement,
  type Effect,
  type LockEvent,
  type LockState,
  newLock,
  type TimerName,
} from '../../../experience/video-lock/lock-types.ts';
import type { FilmSource } from './film-source.ts';
import { readPlayerState } from './film-world.ts';

export type LockRunner = {
  /** Runs all effects before it returns, so that those of a tap happen inside the tap. */
  send(event: LockEvent): void;
  state(): LockState;
  stop(): void;
};

type LockCallbacks = {
  changed(): void;
  announce(what: Announcement): void;
  /** The element is about to be emptied and reloaded. */
  loading(): void;
};

/** Applies the rules of the locked film to the real element. */
export function runLock(
  video: HTMLVideoElement,
  options: { startAt: number; rate: number; source: FilmSource },
  on: LockCallbacks,
): LockRunner {
  const { source } = options;
  let state = newLock(options.startAt, options.rate);
  let stopped = false;
  const queue: LockEvent[] = [];
  let busy = false;

  const send = (event: LockEvent) => {
    queue.push(event);
    if (busy) return;
    busy = true;
    for (let next = queue.shift(); next !== undefined && !stopped; next = queue.shift()) {
      const result = step(state, next, { ...readPlayerState(video), lighter: source.hasLighter() });
      state = result.state;
      for (const effect of result.effects) act({ ...baseEffects, rate: state.rate }, effect);
    }
    busy = false;
    if (!stopped) on.changed();
  };
  const timers = lockTimers((timer) => send({ type: 'due', timer }));
  const baseEffects = { video, source, timers, send, on };

  return {
    send,
    state: () => state,
    stop() {
      stopped = true;
      timers.clear();
    },
  };
}

type LockEffects = Pick<LockRunner, 'send'> & {
  video: HTMLVideoElement;
  source: FilmSource;
  timers: ReturnType<typeof lockTimers>;
  on: LockCallbacks;
  rate: number;
};

function act({ video, source, timers, send, on, rate }: LockEffects, effect: Effect): void {
  switch (effect.do) {
    case 'play':
      return play(video, rate, (name) => send({ type: 'refused', name }));
    case 'pause':
      return video.pause();
    case 'setRate':
      return setRate(video, effect.rate);
    case 'seek':
      video.currentTime = effect.to;
      return;
    case 'reload':
      on.loading();
      return video.load();
    case 'lighten':
      on.loading();
      return source.switchToLight();
    case 'announce':
      return on.announce(effect.what);
    case 'forget':
      return timers.forget(effect.timer);
    case 'wait':
      timers.wait(effect.timer, effect.ms);
  }
}

/** One timer per name at a time. */
function lockTimers(due: (timer: TimerName) => void) {
  const timers = new Map<TimerName, number>();
  const forget = (timer: TimerName) => clearTimeout(timers.get(timer));
  return {
    wait(timer: TimerName, ms: number) {
      forget(timer);
      timers.set(timer, window.setTimeout(due, ms, timer));
    },
    forget,
    clear() {
      for (const timer of timers.keys()) forget(timer);
    },
  };
}

/** `load()` resets the speed to the default, so both are set. */
function setRate(video: HTMLVideoElement, rate: number): void {
  video.defaultPlaybackRate = rate;
  video.playbackRate = rate;
  video.preservesPitch = true;
}

function play(video: HTMLVideoElement, rate: number, refused: (name: string) => void): void {
  setRate(video, rate);
  // Old web views return no promise.
  Promise.resolve(video.play()).catch((error: unknown) =>
    refused(error instanceof Error ? error.name : 'Error'),
  );
}
