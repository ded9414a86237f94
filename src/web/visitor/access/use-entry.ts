import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { normalizeCode } from '../../../domain/codes.ts';
import { accessTexts } from '../../../texts/access.ts';
import { type Failure, isRefused } from '../../api/failure.ts';
import { enter } from '../../api/visit.ts';
import { prepareExperience } from '../../experience-chunk.ts';
import { toastError } from '../../ui/toaster/toast.ts';
import { attemptId, forgetAttempt } from './attempt.ts';
import { capabilities } from './capabilities.ts';
import { deviceId } from './device.ts';
import { enterTap } from './enter-tap.ts';

export type EntryResult = 'entered' | 'refused' | 'ignored';

/** Entering with a code: one at a time, each failure with its sentence. `submit` must be called in the tap itself. */
export function useEntry() {
  const navigate = useNavigate();
  const busy = useRef(false);
  const [working, setWorking] = useState(false);

  async function submit(text: string): Promise<EntryResult> {
    const code = normalizeCode(text);
    if (busy.current) return 'ignored';
    if (code === '') {
      toastError(accessTexts.empty);
      return 'refused';
    }
    enterTap();
    busy.current = true;
    setWorking(true);
    try {
      return await attempt(code, navigate);
    } catch (error) {
      console.error(error);
      toastError(accessTexts.unexpected);
      return 'refused';
    } finally {
      busy.current = false;
      setWorking(false);
    }
  }
  return { submit, working };
}

async function attempt(code: string, navigate: ReturnType<typeof useNavigate>): Promise<EntryResult> {
  prepareExperience();
  const reply = await enter({
    token: code,
    attempt_id: attemptId(code),
    device_id: deviceId(),
    capabilities: capabilities(),
  });
  if (!reply.ok) {
    if (isFinal(reply.failure)) forgetAttempt(code);
    tell(reply.failure);
    return 'refused';
  }
  forgetAttempt(code);
  const { token_id, token_value } = reply.value;
  await navigate('/experience', { replace: true, state: { token_id, token_value } });
  return 'entered';
}

/** Does the server's answer leave no doubt that nobody was admitted? Only then may the next try be a new entry. */
function isFinal(failure: Failure): boolean {
  return isRefused(failure) && failure.codice !== 'TOO_MANY_ATTEMPTS';
}

function tell(failure: Failure): void {
  toastError(failure.codice === 'UNREADABLE' ? accessTexts.notChecked : failure.messaggio);
  if (!isExpected(failure)) console.error(failure);
}

function isExpected(failure: Failure): boolean {
  return failure.codice === 'NETWORK' || isRefused(failure);
}
