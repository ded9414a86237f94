import { useEffect, useState } from 'react';
import { OPENING_JITTER_MS, OPENING_POLL_MS, OPENING_WAKE_LOCK_MS } from '../../../../domain/limits.ts';
import { dayAndHour, countdownTexts as texts, timeLeft, tooEarly } from '../../../../texts/opening-time.ts';
import { releaseWakeLock, requestWakeLock } from '../../media-host.ts';
import type { EarlyEntry, EntryResult } from '../use-entry.ts';
import styles from './countdown.module.css';

type Props = {
  early: EarlyEntry;
  /** Sends the typed code without a tap. */
  ask: () => Promise<EntryResult>;
  onAnswer: (answer: EntryResult) => void;
};

/** Retry interval in ms after the opening time, if no answer came. */
const RETRY_MS = 5_000;

/**
 * Shows a visitor with a valid code the opening time and the time left, by the server's clock. Enters automatically (decision 004). The
 * timer is not announced while it runs; screen readers read it on demand.
 */
export function Countdown({ early, ask, onAnswer }: Props) {
  const left = useLeft(early);
  const lost = useAutomaticEntry({ early, ask, onAnswer });
  return (
    <div ref={scrollToCountdown} className={styles.countdown}>
      <p role="alert">{tooEarly(dayAndHour(early.opens_at))}</p>
      <p role="timer" aria-label={texts.left}>
        {timeLeft(left).map((count, unit) => (
          // The units never change their order.
          <span key={unit}>
            <b>{count}</b> {texts.unit(unit, count)}
          </span>
        ))}
      </p>
      <p>{left > 0 ? texts.stay : lost ? texts.lost : texts.now}</p>
    </div>
  );
}

/** On small screens the countdown starts below the visible part. */
function scrollToCountdown(countdown: HTMLElement | null): void {
  countdown?.scrollIntoView({ block: 'nearest' });
}

/** Returns the ms until the opening time: the server's value minus the time since. */
const msLeft = ({ seconds, since }: EarlyEntry): number =>
  Math.max(0, seconds * 1_000 - (performance.now() - since));

function useLeft(early: EarlyEntry): number {
  const [left, setLeft] = useState(() => msLeft(early));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const now = msLeft(early);
      setLeft(now);
      if (now > 0) timer = setTimeout(tick, now % 1_000 || 1_000);
    };
    tick();
    return () => clearTimeout(timer);
  }, [early]);
  return left;
}

/**
 * Sends the code at the opening time; until then once a minute and when the page becomes visible, because the time may change. Never
 * sends it while the page is hidden.
 * @returns true if the last attempt got no answer
 */
function useAutomaticEntry({ early, ask, onAnswer }: Props): boolean {
  const [losses, setLosses] = useState(0);
  useEffect(() => {
    let cancelled = false;
    const left = msLeft(early);
    const sendNow = async () => {
      if (document.hidden) return;
      clearTimeout(timer);
      const answer = await ask();
      if (cancelled) return;
      if (answer === 'lost' || answer === 'ignored') return setLosses((count) => count + 1);
      setLosses(0);
      onAnswer(answer);
    };
    const whenOpen = left + Math.random() * OPENING_JITTER_MS;
    const wait = left === 0 ? RETRY_MS : Math.min(whenOpen, OPENING_POLL_MS);
    const timer = setTimeout(() => void sendNow(), wait);
    const onReturn = () => void sendNow();
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('online', onReturn);
    if (left > OPENING_WAKE_LOCK_MS) releaseWakeLock();
    else requestWakeLock();
    return () => {
      cancelled = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('online', onReturn);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- new functions are no new wait
  }, [early, losses]);
  return losses > 0;
}
