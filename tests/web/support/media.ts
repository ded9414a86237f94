import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';
import { type MediaHost, mediaHost, releaseWakeLock } from '../../../src/web/visitor/media-host.ts';

/** Stand-ins for media and canvases, missing in happy-dom: playback controlled by the test, and recorded drawing. */

const UNLOADED = {
  readyState: 0,
  networkState: 2,
  videoWidth: 0,
  videoHeight: 0,
  currentTime: 0,
  duration: Number.NaN,
  paused: true,
  ended: false,
  muted: true,
  loop: false,
  volume: 1,
  playbackRate: 1,
  defaultPlaybackRate: 1,
  preservesPitch: true,
};

export type StandInMedia = Omit<HTMLVideoElement, keyof typeof UNLOADED | 'buffered'> &
  typeof UNLOADED & {
    /** Calls in order. */
    did: string[];
    /** Buffered ranges, in seconds. */
    ranges: [number, number][];
    /** Result of the next `play`. */
    answer: () => Promise<void>;
    dispatch: (...events: string[]) => void;
  };

/** One picture or colour drawn on a canvas, with its position and alpha. */
export type Drawn = { what: unknown; at: number[]; alpha: number };
export type StandInCanvas = HTMLCanvasElement & { drawn: Drawn[] };

function withMedia(element: HTMLElement): void {
  const media = Object.assign(element, { did: [], ranges: [], answer: async () => undefined }) as never as
    | StandInMedia
    | undefined;
  if (media === undefined) return;
  for (const [name, value] of Object.entries(UNLOADED))
    Object.defineProperty(media, name, { value, writable: true, configurable: true });
  Object.defineProperty(media, 'buffered', {
    configurable: true,
    get: () => ({
      length: media.ranges.length,
      start: (index: number) => media.ranges[index]?.[0] ?? 0,
      end: (index: number) => media.ranges[index]?.[1] ?? 0,
    }),
  });
  Object.assign(media, {
    load: () => void media.did.push('load'),
    pause: () => {
      media.did.push('pause');
      media.paused = true;
    },
    play: () => {
      media.did.push('play');
      media.paused = false;
      return media.answer();
    },
    dispatch: (...events: string[]) => {
      act(() => events.forEach((event) => media.dispatchEvent(new Event(event))));
    },
  });
}

function withCanvas(element: HTMLElement, draws: () => boolean): void {
  const drawn: Drawn[] = [];
  const record = (what: unknown, at: number[]) => void drawn.push({ what, at, alpha: context.globalAlpha });
  const context = {
    globalAlpha: 1,
    fillStyle: '',
    drawImage: (what: unknown, ...at: number[]) => record(what, at),
    fillRect: (...at: number[]) => record(context.fillStyle, at),
  };
  Object.assign(element, { drawn, getContext: () => (draws() ? context : null) });
}

/** Until the test's end, every created film, song and canvas is a stand-in. Resets the evening's own elements. */
export function standInMedia(host: MediaHost = mediaHost()) {
  const options = { draws: true };
  const create = document.createElement.bind(document);
  const spy = vi.spyOn(document, 'createElement').mockImplementation((tag: string) => {
    const element = create(tag);
    if (tag === 'canvas') withCanvas(element, () => options.draws);
    if (tag === 'video' || tag === 'audio') withMedia(element);
    return element;
  });
  const { wrapper, overlay, video, songs } = host;
  onTestFinished(() => {
    spy.mockRestore();
    releaseWakeLock();
    document.body.replaceChildren();
  });
  // Earlier tests may have left covers and canvases.
  wrapper.replaceChildren(video, overlay, ...songs);
  document.body.append(wrapper);
  for (const element of [video, ...songs]) {
    withMedia(element);
    element.removeAttribute('src');
  }
  for (const song of songs) song.loop = true;
  const [song, song_2] = songs as unknown as [StandInMedia, StandInMedia];
  return Object.assign(options, {
    wrapper,
    overlay,
    film: video as unknown as StandInMedia,
    songs: [song, song_2] as const,
  });
}
