import { type CSSProperties, useState } from 'react';
import { FALLING_HEARTS } from '../../domain/limits.ts';
import styles from './falling-hearts.module.css';
import { Heart } from './heart.tsx';

/** The outline is measured in so many pieces. */
const FINELY = 400;

/** Places on the outline of a heart, in a square from -1 to 1, as far from each other all round. */
const CONSTELLATION = evenly(FALLING_HEARTS);

/**
 * Twenty hearts that fall once (spec 2), each at its own pace, and settle into a constellation that stays. Decoration: chance needs no better
 * source.
 */
export function FallingHearts() {
  const [hearts] = useState(() => CONSTELLATION.map(fallingHeart));
  return (
    <div className={styles.sky} aria-hidden="true" data-stays>
      <div className={styles.constellation}>
        <svg className={styles.lines} viewBox="-1 -1 2 2" preserveAspectRatio="none" aria-hidden="true">
          <polygon points={CONSTELLATION.map(({ x, y }) => `${x.toFixed(3)},${y.toFixed(3)}`).join(' ')} />
        </svg>
        {hearts.map((style, index) => (
          <span key={index} className={styles.heart} style={style}>
            <Heart className={styles.shape} />
          </span>
        ))}
      </div>
    </div>
  );
}

type Place = { x: number; y: number };

function evenly(count: number): Place[] {
  const fine = Array.from({ length: FINELY }, (_, index) => outline(index / FINELY));
  let length = 0;
  const lengths = fine.map((place, index) => {
    length += index === 0 ? 0 : distance(fine[index - 1] ?? place, place);
    return length;
  });
  return Array.from({ length: count }, (_, index) => {
    const at = lengths.findIndex((walked) => walked >= (length * index) / count);
    return fine[at] ?? outline(0);
  });
}

function distance(from: Place, to: Place): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

/** The well-known curve of sines and cosines, in a square. @param turn from 0 to 1, once round */
function outline(turn: number): Place {
  const t = turn * 2 * Math.PI;
  const [x, y] = [
    16 * Math.sin(t) ** 3,
    13 * Math.cos(t) - 5 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t),
  ];
  return { x: x / 16, y: -(y + 2.5) / 14.5 };
}

function fallingHeart({ x, y }: Place): CSSProperties {
  return {
    '--left': `${(50 + x * 50).toFixed(1)}%`,
    '--top': `${(50 + y * 50).toFixed(1)}%`,
    '--size': `${(11 + Math.random() * 11).toFixed(0)}px`,
    '--delay': `${(Math.random() * 5).toFixed(2)}s`,
    '--duration': `${(6 + Math.random() * 3).toFixed(2)}s`,
    '--sway': `${(Math.random() * 120 - 60).toFixed(0)}px`,
    '--alpha': (0.45 + Math.random() * 0.4).toFixed(2),
  };
}
