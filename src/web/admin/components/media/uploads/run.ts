import { slotTexts } from '../../../../../texts/admin/slots.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import type { UploadTarget } from './job.ts';
import { uploadIdFrom } from './own-address.ts';
import { forgetUpload, markRunning } from './remembered.ts';
import { createSending, type FileSender } from './sending.ts';
import type { StopReason } from './stops.ts';
import { findUpload, updateUpload } from './store.ts';

/** Controls of a running upload. */
export type UploadRun = {
  /** Resumes from the present offset. */
  again: () => void;
  /** Resumes with this file. */
  takeFile: (file: File) => void;
  /** Stops sending; choosing the same file later resumes it. */
  pause: () => void;
  /** Stops sending and deletes the upload on the server. */
  cancel: () => Promise<void>;
};

/**
 * Sends an upload, with waits and retries, and reports its state to the store.
 * @param onEnded called once nothing is left to send; `isEnded` returns true from then on
 */
export function createUploadRun(
  key: string,
  job: UploadTarget,
  { isEnded, onEnded }: { isEnded: () => boolean; onEnded: () => void },
): UploadRun {
  const retryDelay = createRetryDelay();
  const progress = createProgress(key);
  const remote = createRemote((address) => updateUpload(key, { upload: uploadIdFrom(address) }));
  let sending: FileSender | undefined;

  function go(): void {
    progress.restart();
    void sending?.go();
  }

  function arrived(): void {
    const sent = findUpload(key);
    if (isEnded() || sent === undefined || sent.upload === null) return;
    const { upload, nome, size } = sent;
    job.onArrived({ upload, slot: job.slot, nome, size });
    remote.leave();
    onEnded();
  }

  function stopped(stop: StopReason): void {
    if (isEnded()) return;
    showStop(key, job, stop);
    if (stop.kind === 'wait') retryDelay.wait(go);
    if (stop.kind === 'refused') remote.leave();
  }

  function takeFile(file: File): void {
    sending = createSending(file, job.slot, {
      onAddress: remote.take,
      onProgress: progress.sent,
      onTaken: retryDelay.reset,
      onSent: arrived,
      onStop: stopped,
    });
    go();
  }

  function pause(): void {
    retryDelay.stop();
    sending?.pause();
    remote.unmark();
  }

  async function cancel(): Promise<void> {
    retryDelay.stop();
    await sending?.abandon();
    remote.leave();
  }

  return { again: go, takeFile, pause, cancel };
}

/** Shows the state of a stopped upload. */
function showStop(key: string, { slot }: UploadTarget, stop: StopReason): void {
  if (stop.kind === 'wait' || stop.kind === 'file-lost') {
    updateUpload(key, { state: { phase: stop.kind === 'wait' ? 'waiting' : 'file-lost' } });
    return;
  }
  const messaggio = messageOfStop(stop, slotTexts[slot].signedOut);
  updateUpload(key, { state: { phase: stop.kind, messaggio } });
  if (findUpload(key) !== undefined) toastError(messaggio);
}

function messageOfStop(stop: Extract<StopReason, { kind: 'failed' | 'refused' }>, signedOut: string): string {
  if (stop.kind === 'refused') return stop.messaggio;
  return stop.failure.codice === 'SIGN_IN_REQUIRED' ? signedOut : stop.failure.messaggio;
}

/** The upload's address on the server, marked as running for other tabs. `leave` forgets it on this device. */
function createRemote(onNewAddress: (address: string) => void) {
  let address: string | undefined;
  let release = () => {};
  return {
    take: (newAddress: string) => {
      if (newAddress === address) return;
      release();
      address = newAddress;
      release = markRunning(newAddress);
      onNewAddress(newAddress);
    },
    /** Removes the mark for other tabs. */
    unmark: () => release(),
    leave: () => {
      release();
      if (address !== undefined) void forgetUpload(address);
    },
  };
}

/** Reports progress and speed of an upload to the store. */
function createProgress(key: string) {
  let speed = startSpeed(0, 0);
  let isMeasuring = false;
  return {
    /** A pause must not count as low speed. */
    restart: () => {
      isMeasuring = false;
    },
    sent: (sent: number) => {
      const now = performance.now();
      speed = isMeasuring ? updateSpeed(speed, now, sent) : startSpeed(now, sent);
      isMeasuring = true;
      const left = secondsLeft(speed, findUpload(key)?.size ?? 0);
      const state = { phase: 'sending', bytesPerSecond: speed.bytesPerSecond, secondsLeft: left } as const;
      updateUpload(key, { sent, state });
    },
  };
}

/** Delays before each retry in ms; the last applies to all later ones. */
const DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;

type RetryDelay = {
  /** Calls back after a delay that grows with each call, or as soon as the network returns or the page becomes visible. */
  wait: (onRetry: () => void) => void;
  /** Restarts with the shortest delay, after a success. */
  reset: () => void;
  /** Cancels the pending retry. */
  stop: () => void;
};

/** Retry delays for temporary failures. */
function createRetryDelay(): RetryDelay {
  let attempts = 0;
  let cancel = () => {};
  function wait(onRetry: () => void): void {
    cancel();
    const ms = DELAYS_MS[Math.min(attempts, DELAYS_MS.length - 1)];
    attempts += 1;
    const timer = setTimeout(now, ms);
    const whenVisible = () => {
      if (document.visibilityState === 'visible') now();
    };
    addEventListener('online', now);
    document.addEventListener('visibilitychange', whenVisible);
    cancel = () => {
      clearTimeout(timer);
      removeEventListener('online', now);
      document.removeEventListener('visibilitychange', whenVisible);
    };
    function now(): void {
      cancel();
      onRetry();
    }
  }
  return {
    wait,
    reset: () => {
      attempts = 0;
    },
    stop: () => cancel(),
  };
}

/** Upload speed: time (ms) and bytes of the last sample, and the smoothed speed. */
type UploadSpeed = { at: number; sent: number; bytesPerSecond: number | null };

/** Minimum time between two samples, in ms; shorter ones are too inaccurate. */
const MIN_SAMPLE_MS = 400;
/** Time constant of the smoothing in ms: two thirds of a change show after it. */
const SMOOTHING_MS = 6_000;

/** Starts a measurement, also after a pause; the speed is unknown. @param at time in ms */
function startSpeed(at: number, sent: number): UploadSpeed {
  return { at, sent, bytesPerSecond: null };
}

/** Adds a sample. If bytes decreased (a cut chunk is sent again), only the reference point moves. */
function updateSpeed(speed: UploadSpeed, at: number, sent: number): UploadSpeed {
  if (sent < speed.sent) return { ...speed, at, sent };
  const elapsedMs = at - speed.at;
  if (elapsedMs < MIN_SAMPLE_MS) return speed;
  const measured = ((sent - speed.sent) * 1000) / elapsedMs;
  const weight = 1 - Math.exp(-elapsedMs / SMOOTHING_MS);
  const before = speed.bytesPerSecond ?? measured;
  return { at, sent, bytesPerSecond: before + (measured - before) * weight };
}

/** Returns the seconds left at this speed; null while it is unknown. */
function secondsLeft({ sent, bytesPerSecond }: UploadSpeed, total: number): number | null {
  return bytesPerSecond === null || bytesPerSecond < 1 ? null : (total - sent) / bytesPerSecond;
}
