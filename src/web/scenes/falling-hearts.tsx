import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react';
import { FALLING_HEARTS } from '../../domain/limits.ts';
import { nextTask } from '../ui/waiting.ts';
import { constellation, fallStart, isBehindText, type Point, type TextBox } from './constellation.ts';
import styles from './falling-hearts.module.css';
import { Heart } from './heart.tsx';

const CONSTELLATION = constellation(FALLING_HEARTS);
/** Drawn once: the hearts that are left at the end are the ones that fell. */
const HEARTS = CONSTELLATION.map(fallingHeart);

/**
 * Twenty hearts that fall once (spec 2) and settle into a constellation that stays. They are of the sky's own air: at its two depths, small, pale and slow
 * or large and near, drifting as its stars do once they have settled. None lies under the words: those that settle there come when the words have gone.
 * Decoration: chance needs no better source.
 * @param said tells one set of words on show (`data-words`, beside it) from the next; null while there are none
 */
export function FallingHearts({ said = null }: { said?: string | null }) {
  const around = useRef<HTMLDivElement>(null);
  const words = useWords(around, said);
  const drawn = useDrawn(said);
  // The way of a heart that falls stays the same when other words come.
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

/**
 * As far as a heart that is falling comes to the side, in pixels; and so much room it leaves above and below: the largest, turned, reaches 15 from its middle.
 */
const ASIDE_PX = 30;
const ROOM_PX = 16;

/** So many come with the scene, and so many with each frame after it: all at once would be a frame that a slow phone is late with. */
const AT_ONCE = 5;

/** Where there are no words any more, all of them are there. */
function useDrawn(said: string | null): number {
  const [drawn, setDrawn] = useState(said === null ? FALLING_HEARTS : AT_ONCE);
  useEffect(() => {
    if (drawn >= FALLING_HEARTS) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + AT_ONCE));
    return () => cancelAnimationFrame(frame);
  }, [drawn]);
  return drawn;
}

/**
 * Where the words on show are, in the constellation's own measures; null without any. In a task of its own, after the one that brought the scene: to tell it
 * the browser lays the page out.
 * @param said changes with the words
 */
function useWords(around: RefObject<HTMLElement | null>, said: string | null): TextBox | null {
  const [words, setWords] = useState<TextBox | null>(null);
  useEffect(() => {
    const look = () => setWords(said === null ? null : wordsIn(around.current));
    nextTask(look);
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, [around, said]);
  return words;
}

/** Where they will lie in their scene: they are still on their way there. */
function wordsIn(around: HTMLElement | null): TextBox | null {
  const words = around?.parentElement?.parentElement?.querySelector<HTMLElement>('[data-words]');
  const scene = words?.offsetParent?.getBoundingClientRect();
  if (around === null || words == null || scene === undefined) return null;
  const { x, y, width, height } = around.getBoundingClientRect();
  const [left, top] = [scene.x + words.offsetLeft, scene.y + words.offsetTop];
  const { offsetWidth, offsetHeight } = words;
  const across = (px: number) => ((px - x) / width) * 2 - 1;
  const down = (px: number) => ((px - y) / height) * 2 - 1;
  return {
    left: across(left - ASIDE_PX),
    right: across(left + offsetWidth + ASIDE_PX),
    top: down(top - ROOM_PX),
    bottom: down(top + offsetHeight + ROOM_PX),
  };
}

function fallingHeart({ x, y }: Point): CSSProperties {
  return {
    '--left': `${(50 + x * 50).toFixed(1)}%`,
    '--top': `${(50 + y * 50).toFixed(1)}%`,
    '--chance': Math.random().toFixed(2),
    '--delay': `${(Math.random() * 5).toFixed(2)}s`,
    // Outward: it comes no nearer to the words than where it settles, but for a quarter of that.
    '--sway': `${(Math.random() * 60 * Math.sign(x)).toFixed(0)}px`,
  };
}
