import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react';
import { FALLING_HEARTS } from '../../domain/limits.ts';
import { nextTask } from '../ui/waiting.ts';
import { constellation, fallStart, isBehindText, type Point, type TextBox } from './constellation.ts';
import styles from './falling-hearts.module.css';
import { Heart } from './heart.tsx';

const CONSTELLATION = constellation(FALLING_HEARTS);
/** Computed once, so that the hearts that remain at the end are the ones that fell. */
const HEARTS = CONSTELLATION.map(fallingHeart);

/**
 * Drops twenty hearts (spec 2), which settle into a constellation. Like the stars, they have two depths and drift once settled. Positions
 * covered by text stay empty until the text has left. `Math.random` is sufficient for decoration. The property identifies the text on
 * screen, which a neighbour marks with `data-words`; null without text.
 */
export function FallingHearts({ textKey = null }: { textKey?: string | null }) {
  const around = useRef<HTMLDivElement>(null);
  const words = useTextArea(around, textKey);
  const drawn = useRenderedCount(textKey);
  // A falling heart keeps its path when the text changes.
  const [first, setFirst] = useState(words);
  if (first === null && words !== null) setFirst(words);
  return (
    <div className={styles.sky} aria-hidden="true" data-stays>
      <div ref={around} className={styles.constellation}>
        <svg
          className={styles.lines}
          data-lines
          data-under={words !== null}
          viewBox="-1 -1 2 2"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <polygon points={CONSTELLATION.map(({ x, y }) => `${x.toFixed(3)},${y.toFixed(3)}`).join(' ')} />
        </svg>
        {CONSTELLATION.slice(0, drawn).map((place, index) => (
          <span
            key={index}
            className={styles.heart}
            data-heart
            data-depth={index % 3 === 0 ? 'far' : 'near'}
            data-under={words !== null && isBehindText(place, words)}
            style={{ ...HEARTS[index], ...startOf(place, first) }}
          >
            <Heart lit className={styles.shape} />
          </span>
        ))}
      </div>
    </div>
  );
}

function startOf(place: Point, words: TextBox | null): CSSProperties {
  const from = words && fallStart(place, words);
  return from === null ? {} : { '--start': `calc(var(--high) * ${((from - place.y) / 2).toFixed(3)})` };
}

/** Horizontal sway of a falling heart, and vertical margin, in px. The largest heart, rotated, reaches 15 px from its middle. */
const MARGIN_X_PX = 30;
const MARGIN_Y_PX = 16;

/** Hearts rendered at first and with each following frame; all at once would delay a frame on slow phones. */
const BATCH_SIZE = 5;

/** Returns the number of hearts to render; all of them from the start if there is no text. */
function useRenderedCount(said: string | null): number {
  const [drawn, setDrawn] = useState(said === null ? FALLING_HEARTS : BATCH_SIZE);
  useEffect(() => {
    if (drawn >= FALLING_HEARTS) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + BATCH_SIZE));
    return () => cancelAnimationFrame(frame);
  }, [drawn]);
  return drawn;
}

/**
 * Returns the area of the text on screen in the constellation's coordinates; null without text. Measured in a separate task after the
 * scene's first render, because it forces a layout.
 * @param said changes with the text
 */
function useTextArea(around: RefObject<HTMLElement | null>, said: string | null): TextBox | null {
  const [words, setWords] = useState<TextBox | null>(null);
  useEffect(() => {
    const measure = () => setWords(said === null ? null : measureText(around.current));
    // A font or style that arrives later changes the text's area.
    const growth = new ResizeObserver(measure);
    nextTask(() => {
      measure();
      for (const element of [around.current, textIn(around.current)]) if (element) growth.observe(element);
    });
    addEventListener('resize', measure);
    return () => {
      growth.disconnect();
      removeEventListener('resize', measure);
    };
  }, [around, said]);
  return words;
}

const textIn = (around: HTMLElement | null) =>
  around?.parentElement?.parentElement?.querySelector<HTMLElement>('[data-words]');

/** Returns the final area of the text: while it is animated, its measured position would differ. */
function measureText(around: HTMLElement | null): TextBox | null {
  const words = textIn(around);
  const scene = words?.offsetParent?.getBoundingClientRect();
  if (around === null || words == null || scene === undefined) return null;
  const { x, y, width, height } = around.getBoundingClientRect();
  const [left, top] = [scene.x + words.offsetLeft, scene.y + words.offsetTop];
  const { offsetWidth, offsetHeight } = words;
  const across = (px: number) => ((px - x) / width) * 2 - 1;
  const down = (px: number) => ((px - y) / height) * 2 - 1;
  return {
    left: across(left - MARGIN_X_PX),
    right: across(left + offsetWidth + MARGIN_X_PX),
    top: down(top - MARGIN_Y_PX),
    bottom: down(top + offsetHeight + MARGIN_Y_PX),
  };
}

function fallingHeart({ x, y }: Point): CSSProperties {
  return {
    '--left': `${(50 + x * 50).toFixed(1)}%`,
    '--top': `${(50 + y * 50).toFixed(1)}%`,
    '--chance': Math.random().toFixed(2),
    '--delay': `${(Math.random() * 5).toFixed(2)}s`,
    // Sways outward; the swing back towards the text is a quarter of it.
    '--sway': `${(Math.random() * 60 * Math.sign(x)).toFixed(0)}px`,
  };
}
