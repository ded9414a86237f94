import type { KeyboardEvent, PointerEvent } from 'react';
import { type Fuoco, MIDDLE } from '../../../../../domain/focus.ts';
import { focusTexts as texts } from '../../../../../texts/admin/focus.ts';
import { thumbnailOf } from '../../../../scenes/sized-picture.ts';
import styles from './focus.module.css';

/** Distance that an arrow key moves the point, as a share of the picture. */
const STEP = 0.02;
const ARROWS: Record<string, Fuoco> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

type PointPickerProps = { url: string; fuoco: Fuoco | null; onChange: (fuoco: Fuoco) => void };

/** The whole picture: a tap sets the point, arrow keys move it. */
export function PointPicker({ url, fuoco, onChange }: PointPickerProps) {
  const { x, y } = fuoco ?? MIDDLE;
  const tapped = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    onChange({ x: within((clientX - left) / width), y: within((clientY - top) / height) });
  };
  const moved = (event: KeyboardEvent) => {
    const by = ARROWS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onChange({ x: within(x + by.x), y: within(y + by.y) });
  };
  return (
    <div className={styles.picker}>
      <div
        className={styles.whole}
        role="slider"
        tabIndex={0}
        aria-label={texts.point}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * x)}
        aria-valuetext={texts.place(Math.round(100 * x), Math.round(100 * y))}
        onPointerDown={tapped}
        onKeyDown={moved}
      >
        <img src={thumbnailOf(url)} alt="" draggable={false} />
        <span className={styles.point} style={{ left: `${100 * x}%`, top: `${100 * y}%` }} />
      </div>
    </div>
  );
}

const within = (share: number) => Math.round(1_000 * Math.min(1, Math.max(0, share))) / 1_000;
