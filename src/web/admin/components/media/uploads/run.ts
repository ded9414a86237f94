import { slotTexts } from '../../../../../texts/admin/media.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { failureOf } from '../../../failure.ts';
import { checkUpload } from './checking.ts';
import type { Job } from './job.ts';
import { idOfUpload } from './own-address.ts';
import { createPatience } from './patience.ts';
import { createProgress } from './progress.ts';
import { forgetUpload, markRunning } from './remembered.ts';
import { createSending, type Sending } from './sending.ts';
import { type Stop, stopOfFailure } from './stops.ts';
import { findUpload, updateUpload } from './store.ts';

/** What can be done with an upload under way. */
export type Run = {
  /** Goes on from where it stands. */
  again: () => void;
  /** Goes on with this file. */
  takeFile: (file: File) => void;
  /** Stops it; choosing the same file goes on with it another time. */
  rest: () => void;
  /** Stops it and frees what it took on the server. */
  cancel: () => Promise<void>;
};

/**
 * Brings an upload to its end: sends, waits, goes on, has it checked. The store knows where it stands.
 * @param arrived the address of an upload whose every byte is there already
 * @param onOver called once it is over; `isOver` says so from then on
 */
export function createRun(
  key: string,
  job: Job,
  { arrived, isOver, onOver }: { arrived?: string; isOver: () => boolean; onOver: () => void },
): Run {
  const patience = createPatience();
  const progress = createProgress(key);
  const place = createPlace(arrived);
  let file: File | null = null;
  let sending: Sending | undefined;

  function go(): void {
    progress.restart();
    if (sending === undefined) check();
    else void sending.go();
  }

  function check(): void {
    const address = place.address();
    if (isOver() || address === undefined) return;
    const onProgress = (share: number) =>
      updateUpload(key, { state: { phase: 'checking', progress: share } });
    onProgress(0);
    checkUpload(idOfUpload(address), onProgress).then(
      (kept) => {
        place.leave();
        onOver();
        job.onKept(kept, file);
      },
      (error: unknown) => stopped(stopOfFailure(failureOf(error)), check),
    );
  }

  function stopped(stop: Stop, again: () => void): void {
    if (isOver()) return;
    showStop(key, job, stop);
    if (stop.kind === 'wait') patience.wait(again);
    if (stop.kind === 'refused') place.leave();
  }

  function takeFile(next: File): void {
    file = next;
    sending = createSending(next, job.slot, {
      onAddress: place.take,
      onProgress: progress.sent,
      onTaken: patience.reset,
      onSent: check,
      onStop: (stop) => stopped(stop, go),
    });
    go();
  }

  function rest(): void {
    patience.stop();
    sending?.rest();
    place.letGo();
  }

  async function cancel(): Promise<void> {
    patience.stop();
    await sending?.abandon();
    place.leave();
  }

  return { again: go, takeFile, rest, cancel };
}

/** Tells where an upload stands that doesn't go on. */
function showStop(key: string, { slot }: Job, stop: Stop): void {
  if (stop.kind === 'wait' || stop.kind === 'file-lost') {
    updateUpload(key, { state: { phase: stop.kind === 'wait' ? 'waiting' : 'file-lost' } });
    return;
  }
  const messaggio = messageOfStop(stop, slotTexts[slot].signedOut);
  updateUpload(key, { state: { phase: stop.kind, messaggio } });
  if (findUpload(key) !== undefined) toastError(messaggio);
}

function messageOfStop(stop: Extract<Stop, { kind: 'failed' | 'refused' }>, signedOut: string): string {
  if (stop.kind === 'refused') return stop.messaggio;
  return stop.failure.codice === 'SIGN_IN_REQUIRED' ? signedOut : stop.failure.messaggio;
}

/** Where the upload lies on the server. Other tabs see that somebody cares for it; once left it is forgotten on this device. */
function createPlace(arrived: string | undefined) {
  let address = arrived;
  let letGo = () => {};
  return {
    address: () => address,
    take: (given: string) => {
      if (given === address) return;
      letGo();
      address = given;
      letGo = markRunning(given);
    },
    /** Nobody cares for it for now. */
    letGo: () => letGo(),
    leave: () => {
      letGo();
      if (address !== undefined) void forgetUpload(address);
    },
  };
}
