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
 * @param onOver called once nothing is left to send; `isOver` returns true from then on
 */
export function createUploadRun(
  key: string,
  job: UploadTarget,
  { isOver, onOver }: { isOver: () => boolean; onOver: () => void },
): UploadRun {
  const patience = createRetryDelay();
  const progress = createProgress(key);
  const place = createPlace((address) => updateUpload(key, { upload: uploadIdFrom(address) }));
  let sending: FileSender | undefined;

  function go(): void {
    progress.restart();
    void sending?.go();
  }

  function arrived(): void {
    const sent = findUpload(key);
    if (isOver() || sent === undefined || sent.upload === null) return;
    const { upload, nome, size } = sent;
    job.onArrived({ upload, slot: job.slot, nome, size });
    place.leave();
    onOver();
  }

  function stopped(stop: StopReason): void {
    if (isOver()) return;
    showStop(key, job, stop);
    if (stop.kind === 'wait') patience.wait(go);
    if (stop.kind === 'refused') place.leave();
  }

  function takeFile(file: File): void {
    sending = createSending(file, job.slot, {
      onAddress: place.take,
      onProgress: progress.sent,
      onTaken: patience.reset,
      onSent: arrived,
      onStop: stopped,
    });
    go();
  }

  function pause(): void {
    patience.stop();
    sending?.rest();
    place.letGo();
  }

  async function cancel(): Promise<void> {
    patience.stop();
    await sending?.abandon();
    place.leave();
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
function createPlace(onTaken: (address: string) => void) {
  let address: string | undefined;
  let letGo = () => {};
  return {
    take: (given: string) => {
      if (given === address) return;
      letGo();
      address = given;
      letGo = markRunning(given);
      onTaken(given);
    },
    /** Removes the mark for other tabs. */
    letGo: () => letGo(),
    leave: () => {
      letGo();
      if (address !== undefined) void forgetUpload(address);
    },
  };
}

/** Reports progress and speed of an upload to the store. */
function createProgress(key: string) {
  let pace = startSpeed(0, 0);
  let begun = false;
  return {
    /** A pause must not count as low speed. */
    restart: () => {
      begun = false;
    },
    sent: (sent: number) => {
      const now = performance.now();
      pace = begun ? updateSpeed(pace, now, sent) : startSpeed(now, sent);
      begun = true;
      const left = secondsLeft(pace, findUpload(key)?.size ?? 0);
      const state = { phase: 'sending', bytesPerSecond: pace.bytesPerSecond, secondsLeft: left } as const;
      updateUpload(key, { sent, state });
    },
  };
}
