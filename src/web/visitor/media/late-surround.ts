import type { Surround } from './surround.ts';

/** It comes beside the evening: a film without it plays as well. */
const loading = import('./surround.ts').catch(() => null);

/** What surrounds the film, as soon as it is there. */
export function loadSurround(): Surround {
  let surround: Surround | undefined;
  let poster: HTMLImageElement | undefined;
  let gone = false;
  void loading.then((it) => {
    if (gone) return;
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
      gone = true;
      surround?.remove();
    },
  };
}
