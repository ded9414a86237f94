import type { Page } from '@playwright/test';
import { probe } from './walk.ts';

/** Between two looks, and for how long, in milliseconds: until all of them have settled. */
const [STEP, UNTIL] = [250, 14_000];

/**
 * Which hearts of the closing can be seen within its words' box at any moment of their fall, in words. Their movements are set to each moment in turn, so
 * that nothing is waited for.
 */
export function heartsUnderWords(page: Page): Promise<string[]> {
  return probe<string[]>(
    page,
    `(() => {
      const words = document.querySelector('[data-words]').getBoundingClientRect();
      const moving = document.getAnimations().filter(({ effect }) => effect.target.closest('[data-depth]'));
      const [settling, falling] = [moving.filter((it) => 'transitionProperty' in it), moving.filter((it) => !('transitionProperty' in it))];
      for (const it of settling) it.finish();
      for (const it of falling) it.pause();
      const faults = [];
      for (let ms = 0; ms <= ${UNTIL}; ms += ${STEP}) {
        for (const it of falling) it.currentTime = ms;
        for (const heart of document.querySelectorAll('[data-depth]')) {
          const { opacity, scale } = getComputedStyle(heart);
          const { x, y, right, bottom } = heart.getBoundingClientRect();
          const across = right > words.left && x < words.right && bottom > words.top && y < words.bottom;
          if (across && scale !== '0' && Number(opacity) > 0) faults.push([ms, x, y, opacity].join(' '));
        }
      }
      for (const it of falling) it.play();
      return faults;
    })()`,
  );
}
