import { phoneTexts } from '../../../../texts/admin/phone.ts';
import styles from './phone-preview.module.css';
import type { Scroller } from './use-scroller.ts';

type ScrollWindowProps = {
  title: string;
  scroller: Scroller;
  /** The phone's pixels are drawn at this size. */
  scale: number;
};

/**
 * A pane of glass over a screen that is longer than the phone: wheel, finger and keyboard move it, and the screen below moves along. What
 * lies below stays out of reach.
 */
export function ScrollWindow({ title, scroller: { element, range }, scale }: ScrollWindowProps) {
  return (
    <div
      className={styles.window}
      role="group"
      aria-label={phoneTexts.scrollable(title)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget }) => element.scrollTo(0, currentTarget.scrollTop / scale)}
    >
      <div style={{ height: `calc(100% + ${range * scale}px)` }} />
    </div>
  );
}
