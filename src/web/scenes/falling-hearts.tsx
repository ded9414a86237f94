import { type CSSProperties, useState } from 'react';
import { FALLING_HEARTS } from '../../domain/limits.ts';
import styles from './falling-hearts.module.css';
import { Heart } from './heart.tsx';

/** Twenty hearts that fall once (spec 2), each with its own place, size and pace. Decoration: chance needs no better source. */
export function FallingHearts() {
  const [hearts] = useState(() => Array.from({ length: FALLING_HEARTS }, (_, index) => fallingHeart(index)));
  return (
    <div className={styles.sky} aria-hidden="true">
      {hearts.map((style, index) => (
        <span key={index} className={styles.heart} style={style}>
          <Heart className={styles.shape} />
        </span>
      ))}
    </div>
  );
}

function fallingHeart(index: number): CSSProperties {
  const lane = (index + Math.random()) / FALLING_HEARTS;
  return {
    '--left': `${(lane * 100).toFixed(1)}%`,
    '--size': `${(12 + Math.random() * 18).toFixed(0)}px`,
    '--delay': `${(Math.random() * 5).toFixed(2)}s`,
    '--duration': `${(6 + Math.random() * 5).toFixed(2)}s`,
    '--sway': `${(Math.random() * 80 - 40).toFixed(0)}px`,
    '--alpha': (0.3 + Math.random() * 0.5).toFixed(2),
  };
}
