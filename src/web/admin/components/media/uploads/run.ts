import { slotTexts } from '../../../../../texts/admin/slots.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import type { UploadTarget } from './job.ts';
import { uploadIdFrom } from './own-address.ts';
import { secondsLeft, startSpeed, updateSpeed } from './pace.ts';
import { createRetryDelay } from './patience.ts';
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
