import { step } from '../../../experience/video-lock/lock.ts';
import {
  type Announcement,
  type Effect,
  type LockEvent,
  type LockState,
  newLock,
  type TimerName,
} from '../../../experience/video-lock/lock-types.ts';
import { filmWorld } from './film-world.ts';

export type LockRunner = {
  /** Carries the effects out before it returns: what a tap asks for happens inside the tap. */
  send(event: LockEvent): void;
  state(): LockState;
  stop(): void;
};

/** Lets the rules of the locked film act on the real element. */
export function runLock(
  video: HTMLVideoElement,
  options: { startAt: number; rate: number },
  on: { changed(): void; announce(what: Announcement): void },
): LockRunner {
  let state = newLock(options.startAt, options.rate);
  let stopped = false;
  const timers = new Map<TimerName, number>();
  const queue: LockEvent[] = [];
  let busy = false;

  const act = (effect: Effect) => {
    switch (effect.do) {
      case 'play':
        return play(video, state.rate, (name) => send({ type: 'refused', name }));
      case 'pause':
        return video.pause();
      case 'setRate':
        return setRate(video, effect.rate);
      case 'seek':
        video.currentTime = effect.to;
        return;
      case 'reload':
        return video.load();
      case 'announce':
        return on.announce(effect.what);
      case 'forget':
        return clearTimeout(timers.get(effect.timer));
      case 'wait':
        clearTimeout(timers.get(effect.timer));
        timers.set(
          effect.timer,
          window.setTimeout(() => send({ type: 'due', timer: effect.timer }), effect.ms),
        );
    }
  };
  const send = (event: LockEvent) => {
    queue.push(event);
    if (busy) return;
    busy = true;
    for (let next = queue.shift(); next !== undefined && !stopped; next = queue.shift()) {
      const result = step(state, next, filmWorld(video));
      state = result.state;
      for (const effect of result.effects) act(effect);
    }
    busy = false;
    if (!stopped) on.changed();
  };

  return {
    send,
    state: () => state,
    stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** `load()` goes back to the default speed, so both are set. */
function setRate(video: HTMLVideoElement, rate: number): void {
  video.defaultPlaybackRate = rate;
  video.playbackRate = rate;
  video.preservesPitch = true;
}

function play(video: HTMLVideoElement, rate: number, refused: (name: string) => void): void {
  setRate(video, rate);
  // Old web views return nothing.
  Promise.resolve(video.play()).catch((error: unknown) =>
    refused(error instanceof Error ? error.name : 'Error'),
  );
}
