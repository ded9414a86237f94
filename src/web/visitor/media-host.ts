/**
 * The one <video> and the two <audio> of a visit, alive from the first tap to the last phrase, outside React's tree:
 * the permission to sound that a tap wins belongs to the element, so elements are moved and shown but never made again.
 *
 * `unlockMedia()` is called synchronously, before any await, inside the «Scopri la Sorpresa», «Riprendi» and start-video taps.
 * Everything heavier lives in media/ and comes with the experience; this file is part of the access screen, keep it tiny.
 */

export type MediaHost = {
  /** What becomes full screen: the film, the layer over it, and whatever must stay visible above. */
  wrapper: HTMLDivElement;
  video: HTMLVideoElement;
  /** Lies transparently over the film and takes every touch; the page's portal goes in here. */
  overlay: HTMLDivElement;
  /** One per trip: an element once routed into Web Audio for its fade stays routed. */
  songs: readonly [HTMLAudioElement, HTMLAudioElement];
};

/** Under the page, in the viewport and not transparent to the last: hidden videos are not loaded on phones. */
export const UNDER_THE_PAGE =
  'position:fixed;inset:0;z-index:-1;opacity:.01;overflow:hidden;overflow:clip;pointer-events:none';

let host: MediaHost | undefined;
const primed = new WeakSet<HTMLMediaElement>();

/** The host, made at the first call. Outside a tap its elements are not yet allowed to sound. */
export function mediaHost(): MediaHost {
  host ??= build();
  return host;
}

/**
 * Unlocks the elements, asks for the right kind of audio session and keeps the screen on. Only inside a tap; never throws.
 * @param playing an element that this tap has already begun to play, which unlocks it as well
 */
export function unlockMedia(playing?: HTMLMediaElement): MediaHost {
  const { video, songs } = mediaHost();
  for (const element of [video, ...songs]) {
    // A primed element keeps its permission: loading it again would only throw its buffer away.
    if (element !== playing && (!primed.has(element) || element.networkState === 0)) element.load();
    primed.add(element);
  }
  if (navigator.audioSession) navigator.audioSession.type = 'playback';
  requestWakeLock();
  return mediaHost();
}

let awake: Promise<WakeLockSentinel | undefined> | undefined;
let listening = false;

/** Keeps the screen on until `releaseWakeLock()`; the system takes the lock away whenever the page is hidden, so it is asked again. */
export function requestWakeLock(): void {
  const before = awake;
  awake = navigator.wakeLock?.request('screen').catch(() => undefined);
  void before?.then((lock) => lock?.release()).catch(() => undefined);
  if (!listening) document.addEventListener('visibilitychange', reawake);
  listening = true;
}

/** The evening is over. */
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

/** Attributes come before any `src`: old web views decide by them whether the film may play inline. */
function media<Tag extends 'video' | 'audio'>(tag: Tag): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const name of ['playsinline', 'webkit-playsinline', 'disableremoteplayback'])
    element.setAttribute(name, '');
  element.setAttribute('x-webkit-airplay', 'deny');
  element.preload = 'auto';
  element.tabIndex = -1;
  return element;
}
