import styles from './drawing.module.css';

/** Fine lines in the surrounding text colour and one stroke of gold, on a canvas of 96 × 64. */
const LINES = {
  film: {
    ink: 'M14 14h68v36H14zM14 21h68M14 43h68M24 14v7M36 14v7M48 14v7M60 14v7M72 14v7M24 43v7M36 43v7M48 43v7M60 43v7M72 43v7',
    gold: 'M43 26.5v11l10-5.5z',
  },
  letter: {
    ink: 'M16 14h64v38H16zM16 16l32 22 32-22',
    gold: 'M48 45c-5-3.4-7-6-7-8.6a3.5 3.5 0 0 1 7-1 3.5 3.5 0 0 1 7 1c0 2.6-2 5.2-7 8.6z',
  },
  picture: {
    ink: 'M16 10h64v44H16zM16 46l18-18 14 14 10-10 22 18',
    gold: 'M66 16a6 6 0 1 1 0 12 6 6 0 0 1 0-12z',
  },
  ticket: {
    ink: 'M12 16h50v32H12zM62 16h22v32H62M20 25h22M20 32h30M20 39h16M68 26h10M68 38h10',
    gold: 'M62 20v2M62 26v2M62 32v2M62 38v2M62 44v2',
  },
  song: {
    ink: 'M36 46V16l30-6v30M36 24l30-6',
    gold: 'M36 46a7 5.5 0 1 1-14 0 7 5.5 0 0 1 14 0zM66 40a7 5.5 0 1 1-14 0 7 5.5 0 0 1 14 0z',
  },
  phrases: { ink: 'M18 12h60v32H44l-12 10V44H18z', gold: 'M28 23h40M28 32h26' },
  visit: {
    ink: 'M10 44c12 0 14-20 26-20s12 16 24 16 12-24 26-24',
    gold: 'M36 18a6 6 0 1 1 0 12 6 6 0 0 1 0-12z',
  },
  events: { ink: 'M22 10h52v46H22zM40 22h24M40 33h24M40 44h16', gold: 'M30 22h2M30 33h2M30 44h2' },
  answers: {
    ink: 'M14 18h30v24H30l-8 8v-8h-8zM52 24h30v22h-6v8l-8-8H52z',
    gold: 'M29 35c-3.5-2.4-5-4.2-5-6a2.5 2.5 0 0 1 5-.8 2.5 2.5 0 0 1 5 .8c0 1.8-1.5 3.6-5 6z',
  },
  phone: {
    ink: 'M34 6h28a4 4 0 0 1 4 4v44a4 4 0 0 1-4 4H34a4 4 0 0 1-4-4V10a4 4 0 0 1 4-4zM44 52h8',
    gold: 'M40 30l6 6 11-12',
  },
  questions: { ink: 'M12 20h32v24H12zM52 20h32v24H52z', gold: 'M22 32l4 4 8-9M62 32h12' },
  closing: {
    ink: 'M10 52h76M20 52a28 28 0 0 1 56 0M48 10v6M18 22l4 4M78 22l-4 4',
    gold: 'M48 46c-6-4-8.5-7-8.5-10a4.2 4.2 0 0 1 8.5-1.3A4.2 4.2 0 0 1 56.5 36c0 3-2.5 6-8.5 10z',
  },
  trip: {
    ink: 'M8 50c18 4 34-2 46-14s20-22 30-24c3-.6 4 1.5 2 4-6 8-20 20-34 30',
    gold: 'M44 44l-14-12 5-3 18 6',
  },
} as const;
export type DrawingName = keyof typeof LINES;

/** A small decorative drawing for empty states. It adds no information to the text next to it. */
export function Drawing({ name }: { name: DrawingName }) {
  const { ink, gold } = LINES[name];
  return (
    <svg viewBox="0 0 96 64" className={styles.drawing} aria-hidden="true">
      <path d={ink} />
      <path d={gold} className={styles.gold} />
    </svg>
  );
}
