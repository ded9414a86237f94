import { useEffect, useState } from 'react';
import type { KeptAnswers } from '../../../contract/plan-b.ts';
import { sealAnswers } from '../../../sealed/answers.ts';
import { request } from '../../api/request.ts';
import { keepSealed, waitingAnswers } from './store.ts';

/** What became of the answers: none is there, they wait for the site, they have arrived, or the site doesn't want them. */
export type Told = 'nothing' | 'waiting' | 'arrived' | 'refused';

/** `ended`: the evening was seen to its end. */
export type GivenAnswers = Omit<KeptAnswers, 'completed_at'> & { ended: boolean };

/** So often the site is tried while the page stays open, in milliseconds. */
const AGAIN_MS = 15_000;

/** Sends what waits. What can't be read is dropped; what is refused for its code stays, for it may be given back. */
export async function sendWaiting(): Promise<Exclude<Told, 'nothing'>> {
  let told: Exclude<Told, 'nothing'> = 'arrived';
  for (const { sealed, remove } of await waitingAnswers()) {
    const sent = await request('POST', '/plan-b/answers', { body: { sealed: base64url(sealed) } });
    if (sent.ok) await remove();
    else if (sent.failure.codice === 'PLAN_B_CODE_GONE') told = 'refused';
    else if (sent.failure.codice === 'PLAN_B_UNREADABLE') {
      await remove();
      told = 'refused';
    } else return 'waiting';
  }
  return told;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * Keeps this walk's answers sealed and sends them, at once and again until they have arrived.
 * @param key the site's, base64url
 * @param answers of so far; null while there are none, or where nothing is kept
 */
export function useKeptAnswers(key: string | null, answers: GivenAnswers | null): Told {
  const [told, setTold] = useState<Told>('nothing');
  useEffect(() => {
    if (key === null || answers === null) return;
    let gone = false;
    const send = async () => {
      const outcome = await sendWaiting();
      if (!gone) setTold(outcome);
      if (outcome !== 'waiting') clearInterval(timer);
    };
    const timer = setInterval(() => void send(), AGAIN_MS);
    const now = () => void send();
    addEventListener('online', now);
    setTold('waiting');
    void keepAnswers(key, answers).then(send);
    return () => {
      gone = true;
      clearInterval(timer);
      removeEventListener('online', now);
    };
  }, [key, answers]);
  return told;
}

async function keepAnswers(key: string, { ended, ...given }: GivenAnswers): Promise<void> {
  const told: KeptAnswers = { ...given, completed_at: ended ? new Date().toISOString() : null };
  const site = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
    sign.charCodeAt(0),
  );
  const sealed = await sealAnswers(site, told);
  const part = `${told.answers.length}${ended ? '-fine' : ''}`;
  await keepSealed(`${told.id}/${part}`, new Uint8Array(sealed));
}
