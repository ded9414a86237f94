import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { codeIn } from '../../../domain/codes.ts';
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

/** The code is right and comes before the hour. `seconds` by the server's clock, `since` on the page's. */
export type EarlyEntry = { opens_at: string; seconds: number; since: number; messaggio: string };
/** lost: nobody knows what the server made of it. */
export type EntryResult = 'entered' | 'refused' | 'lost' | 'ignored' | EarlyEntry;

/**
 * Entering with a code: one at a time, each failure with its sentence. `submit` must be called in the tap itself; `askQuietly` is what a
 * page does that waits for the hour.
 * @param onWorking told when a code that was submitted is asked about, and when no longer
 */
export function useEntry(onWorking: (working: boolean) => void) {
  const navigate = useNavigate();
  const busy = useRef(false);

  async function submit(text: string): Promise<EntryResult> {
    const code = codeIn(text);
    if (busy.current) return 'ignored';
    if (code === '') {
      toastError(accessTexts.empty);
      return 'refused';
    }
    prepareEntry();
    const asked = ask(code);
    // What is seen of the tap has a task of its own, and nothing to say once the answer is there.
    nextTask(() => onWorking(busy.current));
    const result = await asked;
    onWorking(false);
    return result;
  }

  async function ask(text: string, quiet = false): Promise<EntryResult> {
    if (busy.current) return 'ignored';
    busy.current = true;
    let result: EntryResult = 'refused';
    try {
      result = await attempt(codeIn(text), navigate, quiet);
    } catch (error) {
      console.error(error);
      toastError(accessTexts.unexpected);
    }
    // Whoever is in asks no more, while the letter opens.
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
  // The tap's own task has done what only a tap may do.
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
    if (isFinal(failure) || !quiet) tell(failure);
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

/** Does the server's answer leave no doubt that nobody was admitted? Only then may the next try be a new entry. */
function isFinal(failure: ApiError): boolean {
  return isRefused(failure) && failure.codice !== 'TOO_MANY_ATTEMPTS';
}

function tell(failure: ApiError): void {
  toastError(failure.codice === 'UNREADABLE' ? accessTexts.notChecked : failure.messaggio);
  if (!isExpected(failure)) console.error(failure);
}

function isExpected(failure: ApiError): boolean {
  return failure.codice === 'NETWORK' || isRefused(failure);
}
