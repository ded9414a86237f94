import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { intendedCode } from '../../../domain/codes.ts';
import { accessTexts } from '../../../texts/access.ts';
import { type ApiError, isRefused } from '../../api/failure.ts';
import { enter } from '../../api/visit.ts';
import { loadExperience, openWith, prepareExperience } from '../../experience-chunk.ts';
import { reloadOnce } from '../../reload.ts';
import { toastError } from '../../ui/toaster/toast.ts';
import { nextTask, sleep } from '../../ui/waiting.ts';
import { storeInitialVisit } from '../first-visit.ts';
import { attemptId, forgetAttempt } from './attempt.ts';
import { capabilities } from './capabilities.ts';
import { deviceId } from './device.ts';
import { prepareEntry } from './enter-tap.ts';

/** A valid code before the opening time. `seconds` left by the server's clock, since `since` on the page's clock. */
export type EarlyEntry = { opens_at: string; seconds: number; since: number; messaggio: string };
/** lost: it is unknown how the server processed the entry. */
export type EntryResult = 'entered' | 'refused' | 'lost' | 'ignored' | EarlyEntry;

/**
 * Enters with a code. One entry runs at a time, and each failure shows its sentence. `submit` must be called inside the tap; `askQuietly`
 * is for the countdown.
 * @param onWorking called with true when a submitted code is being checked, and with false afterwards
 */
export function useEntry(onWorking: (working: boolean) => void) {
  const navigate = useNavigate();
  const busy = useRef(false);

  async function submit(text: string): Promise<EntryResult> {
    const code = intendedCode(text);
    if (busy.current) return 'ignored';
    if (code === '') {
      toastError(accessTexts.empty);
      return 'refused';
    }
    prepareEntry();
    const pending = ask(code);
    // Shows the progress in a separate task; the reply may have arrived by then.
    nextTask(() => onWorking(busy.current));
    const result = await pending;
    onWorking(false);
    return result;
  }

  async function ask(text: string, quiet = false): Promise<EntryResult> {
    if (busy.current) return 'ignored';
    busy.current = true;
    let result: EntryResult = 'refused';
    try {
      result = await attempt(intendedCode(text), navigate, quiet);
    } catch (error) {
      console.error(error);
      toastError(accessTexts.unexpected);
    }
    // After an entry no other code is sent while the letter opens.
    busy.current = result === 'entered';
    return result;
  }
  return { submit, askQuietly: (text: string) => ask(text, true) };
}

async function attempt(
  code: string,
  navigate: ReturnType<typeof useNavigate>,
  quiet: boolean,
): Promise<EntryResult> {
  // Everything that requires the tap is done; the rest runs in a new task.
  await new Promise<void>(nextTask);
  prepareExperience();
  if (await isReloading()) return new Promise(() => {});
  const reply = await enterInTurn({
    token: code,
    attempt_id: attemptId(code),
    device_id: deviceId(),
    capabilities: capabilities(),
  });
  if (!reply.ok) {
    const { failure } = reply;
    if (isFinal(failure)) forgetAttempt(code);
    const { opens_at, secondi, messaggio } = failure;
    if (opens_at !== undefined && secondi !== undefined)
      return { opens_at, seconds: secondi, since: performance.now(), messaggio };
    if (isFinal(failure) || !quiet) showFailure(failure);
    return isFinal(failure) ? 'refused' : 'lost';
  }
  forgetAttempt(code);
  const { token_id, token_value, visit } = reply.value;
  storeInitialVisit(visit);
  openWith(({ openLetter }) => openLetter(visit.recipient_name, visit.sound_effects));
  await navigate('/experience', { replace: true, state: { token_id, token_value } });
  return 'entered';
}

/** Maximum number of requests while the queue is full. */
const MAX_ATTEMPTS = 10;

/** Retries while the queue of this network is full, as the same attempt. */
async function enterInTurn(body: Parameters<typeof enter>[0]): ReturnType<typeof enter> {
  for (let left = MAX_ATTEMPTS - 1; ; left -= 1) {
    const reply = await enter(body);
    if (reply.ok || reply.failure.codice !== 'TOO_MANY_ATTEMPTS' || left === 0) return reply;
    await sleep((reply.failure.secondi ?? 1) * 1_000);
  }
}

/** Loads the evening's chunk first, so that no use is spent if an update removed it. Without a network the entry itself fails. */
async function isReloading(): Promise<boolean> {
  try {
    await loadExperience();
    return false;
  } catch {
    return reloadOnce();
  }
}

/** Returns true if the reply certainly means that the visitor was not admitted. The next attempt may then be a new entry. */
function isFinal(failure: ApiError): boolean {
  return isRefused(failure) && failure.codice !== 'TOO_MANY_ATTEMPTS';
}

function showFailure(failure: ApiError): void {
  toastError(failure.codice === 'UNREADABLE' ? accessTexts.notChecked : failure.messaggio);
  if (!isExpected(failure)) console.error(failure);
}

function isExpected(failure: ApiError): boolean {
  return failure.codice === 'NETWORK' || isRefused(failure);
}
