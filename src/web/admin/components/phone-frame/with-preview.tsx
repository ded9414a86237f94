import { Skeleton } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import phoneStyles from './phone-preview.module.css';
import styles from './with-preview.module.css';

type WithPreviewProps = {
  /** Save state and button. */
  bar?: ReactNode;
  preview: ReactNode;
  children: ReactNode;
};

/**
 * An editor with the phone next to it. On a narrow screen the phone is small and stays at the top with the save bar, visible
 * while typing.
 */
export function WithPreview({ bar, preview, children }: WithPreviewProps) {
  useEffect(keepAboveKeyboard, []);
  return (
    <div className={styles.columns}>
      <div className={styles.edited}>{children}</div>
      <div className={styles.aside}>
        {bar !== undefined && <div className={styles.bar}>{bar}</div>}
        {preview}
      </div>
    </div>
  );
}

/** Stores the offset by which an iPhone moves the page up for its keyboard, as `--pushed-up`, for sticky elements. */
function keepAboveKeyboard(): (() => void) | undefined {
  const { visualViewport } = window;
  if (visualViewport === null) return;
  const unmounted = new AbortController();
  const { style } = document.documentElement;
  const write = () => style.setProperty('--pushed-up', `${Math.max(0, visualViewport.offsetTop)}px`);
  visualViewport.addEventListener('scroll', write, unmounted);
  visualViewport.addEventListener('resize', write, unmounted);
  return () => {
    unmounted.abort();
    style.removeProperty('--pushed-up');
  };
}

/** Placeholder of the phone next to an editor: the same size, and dark. */
export function PhoneSkeleton() {
  return (
    <figure className={phoneStyles.preview} aria-hidden>
      <div className={phoneStyles.phone}>
        <div className={phoneStyles.screen} style={{ aspectRatio: '390 / 844' }} />
      </div>
      <figcaption className={phoneStyles.caption}>
        <Skeleton h="0.85rem" w="8rem" />
      </figcaption>
    </figure>
  );
}

/** Delay between typing and the preview, in ms. It lets words animate one by one instead of on every key. */
export const PREVIEW_DELAY_MS = 350;
