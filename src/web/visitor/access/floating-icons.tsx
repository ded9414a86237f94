import { type CSSProperties, useEffect, useState } from 'react';
import { FLOATING_ICONS } from '../../../domain/limits.ts';
import styles from './floating-icons.module.css';

const HEART =
  'M12 20C6 15.700 3 12.400 3 8.900A4.700 4.700 0 0 1 12 7a4.700 4.700 0 0 1 9 1.900c0 3.500-3 6.800-9 11.100Z';
const STAR = 'M12 3l2.200 6.300L21 10l-5.200 4.200L17.500 21 12 17l-5.500 4 1.700-6.800L3 10l6.800-.7Z';
const ENVELOPE = 'M3 6h18v12H3ZM3 6.500l9 7 9-7';
const PLANE = 'M21 3 3 10.500l6.500 3L21 3l-8.500 18-3-7.500';
const SHAPES = [HEART, STAR, ENVELOPE, PLANE];

type Icon = { path: string; style: CSSProperties };

/**
 * Decoration behind the card (spec 2): hearts, stars, envelopes and planes with random position, delay, duration and size. Random values
 * are set in the browser only: the prerendered page has none, and the policy would refuse its inline styles.
 */
export function FloatingIcons() {
  const [icons, setIcons] = useState<Icon[]>([]);
  const hidden = useHidden();
  useEffect(() => {
    const scatter = () => setIcons(Array.from({ length: FLOATING_ICONS }, (_, index) => randomIcon(index)));
    const frame = requestAnimationFrame(scatter);
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div className={styles.sky} data-still={hidden} aria-hidden="true">
      {icons.map(({ path, style }, index) => (
        // The order never changes, so the index is a stable key.
        <svg key={index} className={styles.icon} style={style} viewBox="0 0 24 24">
          <path d={path} />
        </svg>
      ))}
    </div>
  );
}

/** Returns a random position in one of 12 cells, so that icons don't crowd. */
function randomIcon(index: number): Icon {
  const column = index % 3;
  const row = Math.floor(index / 3);
  const style = {
    left: `${(column + 0.1 + Math.random() * 0.65) * 33.3}%`,
    top: `${(row + 0.1 + Math.random() * 0.55) * 25}%`,
    width: `${1.1 + Math.random() * 1.3}rem`,
    animationDuration: `${9 + Math.random() * 9}s`,
    animationDelay: `${-Math.random() * 18}s`,
  };
  return { path: SHAPES[index % SHAPES.length] ?? HEART, style };
}

function useHidden(): boolean {
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    const changed = () => setHidden(document.hidden);
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  }, []);
  return hidden;
}
