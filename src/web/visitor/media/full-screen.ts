import { FULLSCREEN_RETRIES } from '../../../domain/limits.ts';
import { orTimeout } from '../../ui/waiting.ts';
import { onNextGesture } from './next-gesture.ts';

/** `css`: the wrapper only covers the viewport, which is the only mode on iPhones. */
export type FullScreenMode = 'css' | 'element';

export type FullScreen = {
  /** Requests full screen, inside a tap. Never blocks, never throws. */
  enter(): void;
  /** Leaves full screen at the end or on removal. Resolves within 500 ms in any browser. */
  leave(): Promise<void>;
  mode(): FullScreenMode;
};

/** Longest waits for the browser's answer, in ms. */
const ANSWER_MS = 600;
const LEAVE_MS = 500;

/**
 * Controls full screen of the wrapper, never of the <video>, which would show the browser's buttons. The page is already covered, so a
 * refusal or an exit changes nothing visible. After an exit it asks again six times (spec 4: most browsers refuse without a tap) and at
 * the next tap or key.
 */
export function createFullScreen(
  wrapper: HTMLElement,
  video: HTMLVideoElement,
  changed: () => void,
): FullScreen {
  let isRequested = false;
  let mode: FullScreenMode = 'css';
  let timers: number[] = [];
  let disarm = () => {};

  const isInside = () => fullScreenElement() === wrapper;
  const later = (run: () => void, ms: number) => timers.push(window.setTimeout(run, ms));
  const cancel = () => {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
    disarm();
  };
  const arm = () => {
    disarm();
    if (isRequested && !isInside()) disarm = onNextGesture(request);
  };
  // The film may have been removed by a tap that had requested full screen before.
  const granted = () => (isRequested ? undefined : exit(video));
  const request = () => {
    if (!isRequested || isInside() || !askFor(wrapper, granted, arm)) return;
    later(arm, ANSWER_MS);
  };
  const onChange = () => {
    mode = isInside() ? 'element' : 'css';
    cancel();
    if (mode === 'element') lockOrientation(video);
    else if (isRequested) requestAgain();
    changed();
  };
  const requestAgain = () => {
    for (let retry = 1; retry <= FULLSCREEN_RETRIES.count; retry += 1)
      later(request, retry * FULLSCREEN_RETRIES.stepMs);
    arm();
  };
  const listen = (way: 'addEventListener' | 'removeEventListener') => {
    for (const name of ['fullscreenchange', 'webkitfullscreenchange']) document[way](name, onChange);
    window[way]('orientationchange', request);
  };

  return {
    enter() {
      if (!isRequested) listen('addEventListener');
      isRequested = true;
      request();
    },
    leave() {
      isRequested = false;
      mode = 'css';
      cancel();
      listen('removeEventListener');
      return orTimeout(exit(video), LEAVE_MS);
    },
    mode: () => mode,
  };
}

function fullScreenElement(): Element | null {
  return document.fullscreenElement ?? document.webkitFullscreenElement ?? null;
}

/** Requests full screen. Returns false if the browser has none for elements. */
function askFor(wrapper: HTMLElement, granted: () => void, refused: () => void): boolean {
  const ask = wrapper.requestFullscreen ?? wrapper.webkitRequestFullscreen;
  if (typeof ask !== 'function') return false;
  try {
    Promise.resolve(ask.call(wrapper, { navigationUI: 'hide' })).then(granted, refused);
  } catch {
    refused();
  }
  return true;
}

/** Locks a wide film to landscape. Works only in some browsers and only in real full screen; never required. */
function lockOrientation(video: HTMLVideoElement): void {
  if (video.videoWidth <= video.videoHeight) return;
  try {
    screen.orientation?.lock?.('landscape').catch(() => undefined);
  } catch {
    // Some web views throw at once.
  }
}

async function exit(video: HTMLVideoElement): Promise<void> {
  try {
    screen.orientation?.unlock?.();
    if (video.webkitDisplayingFullscreen) video.webkitExitFullscreen?.();
    if (fullScreenElement() === null) return;
    if (typeof document.exitFullscreen === 'function') await document.exitFullscreen();
    else await document.webkitExitFullscreen?.();
  } catch {
    // Already left, or the phone refused.
  }
}
