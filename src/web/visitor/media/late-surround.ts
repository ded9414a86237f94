import type { Surround } from './surround.ts';

/** Loaded in addition to the evening; a film plays without it. */
const loading = import('./surround.ts').catch(() => null);

/** Returns the film's surround, which works as soon as its code is loaded. */
export function loadSurround(): Surround {
  let surround: Surround | undefined;
  let poster: HTMLImageElement | undefined;
  let isRemoved = false;
  void loading.then((it) => {
    if (isRemoved) return;
    surround = it?.surroundFilm();
    if (poster !== undefined) surround?.show(poster);
  });
  return {
    show(picture) {
      poster = picture;
      surround?.show(picture);
    },
    leaveAfterImage: () => surround?.leaveAfterImage() ?? (() => {}),
    remove() {
      isRemoved = true;
      surround?.remove();
    },
  };
}
