import { expect, test } from 'vitest';
import { cue, uncue } from '../../src/web/visitor/media/preload.ts';

/** A media element, as much of it as loading knows. */
function element() {
  let src: string | null = null;
  const did: string[] = [];
  const made = {
    preload: '',
    getAttribute: () => src,
    hasAttribute: () => src !== null,
    removeAttribute: () => {
      src = null;
    },
    load: () => did.push(`load ${src}`),
    pause: () => did.push('pause'),
    set src(url: string) {
      src = url;
    },
  };
  // Nothing else of it is touched.
  return { did, media: made as unknown as HTMLMediaElement };
}

test('the same source is loaded once, or what has arrived of it would be thrown away', () => {
  const { did, media } = element();
  cue(media, '/song.mp3');
  cue(media, '/song.mp3');
  expect([did, media.preload]).toEqual([['load /song.mp3'], 'auto']);
  cue(media, '/other.mp3');
  expect(did).toEqual(['load /song.mp3', 'load /other.mp3']);
});

test('what is put away is silent and loads no more; once', () => {
  const { did, media } = element();
  cue(media, '/song.mp3');
  uncue(media);
  uncue(media);
  expect(did).toEqual(['load /song.mp3', 'pause', 'load null', 'pause']);
});
