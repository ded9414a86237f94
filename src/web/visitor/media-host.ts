/**
 * The one <video> and the two <audio> of a visit, outside React's tree. The permission to play sound belongs to the element that a tap
 * unlocked: elements are moved and shown, never created again. Call `unlockMedia()` synchronously inside the entry, resume and
 * start-video taps. Part of the access screen, so this file must stay small; heavier code is in media/ and loads with the experience.
 */

export type MediaHost = {
  /** The element for full screen: the film, the layer over it, and everything that must stay visible above. */
  wrapper: HTMLDivElement;
  video: HTMLVideoElement;
  /** Transparent layer over the film that takes every touch; the page's portal renders into it. */
  overlay: HTMLDivElement;
  /** One per trip: an element that was routed into Web Audio for its fade stays routed. */
  songs: readonly [HTMLAudioElement, HTMLAudioElement];
};

/** Under the page, inside the viewport and not fully transparent: phones don't load hidden videos. */
export const UNDER_THE_PAGE =
  'position:fixed;inset:0;z-index:-1;opacity:.01;overflow:hidden;overflow:clip;pointer-events:none';

let host: MediaHost | undefined;
const primed = new WeakSet<HTMLMediaElement>();

/** Returns the host, created at the first call. Created outside a tap, its elements may not play sound yet. */
export function mediaHost(): MediaHost {
  host ??= build();
  return host;
}

/**
 * Unlocks the elements, sets the audio session and keeps the screen on. Call inside a tap; never throws.
 * @param playing an element that this tap already started, which unlocks it as well
 */
export function unlockMedia(playing?: HTMLMediaElement): MediaHost {
  const { video, songs } = mediaHost();
  for (const element of [video, ...songs]) {
    // An unlocked element keeps its permission; another load would discard its buffer.
    if (element !== playing && (!primed.has(element) || element.networkState === 0)) element.load();
    primed.add(element);
  }
  if (navigator.audioSession) navigator.audioSession.type = 'playback';
  requestWakeLock();
  return mediaHost();
}

let awake: Promise<WakeLockSentinel | undefined> | undefined;
let listening = false;

/**
 * Keeps the screen on until `releaseWakeLock()`. Requests the lock again after the page was hidden, because the system releases it then.
 */
export function requestWakeLock(): void {
  const before = awake;
  awake = navigator.wakeLock?.request('screen').catch(() => undefined);
  void before?.then((lock) => lock?.release()).catch(() => undefined);
  if (!listening) document.addEventListener('visibilitychange', reawake);
  listening = true;
}

/** Releases the wake lock. */
export function releaseWakeLock(): void {
  document.removeEventListener('visibilitychange', reawake);
  listening = false;
  void awake?.then((lock) => lock?.release()).catch(() => undefined);
  awake = undefined;
}

function reawake(): void {
  if (!document.hidden) requestWakeLock();
}

function build(): MediaHost {
  const wrapper = document.createElement('div');
  const video = media('video');
  const overlay = document.createElement('div');
  video.disablePictureInPicture = true;
  video.setAttribute('controlslist', 'nodownload noplaybackrate noremoteplayback nofullscreen');
  const songs = [media('audio'), media('audio')] as const;
  for (const song of songs) song.loop = true;
  wrapper.style.cssText = UNDER_THE_PAGE;
  wrapper.append(video, overlay, ...songs);
  document.body.append(wrapper);
  return { wrapper, video, overlay, songs };
}

/** Sets attributes before any `src`: old web views use them to decide whether the film may play inline. */
function media<Tag extends 'video' | 'audio'>(tag: Tag): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const name of ['playsinline', 'webkit-playsinline', 'disableremoteplayback'])
    element.setAttribute(name, '');
  element.setAttribute('x-webkit-airplay', 'deny');
  element.preload = 'auto';
  element.tabIndex = -1;
  return element;
}
