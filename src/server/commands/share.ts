import { createInterface } from 'node:readline/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { encodeQR } from 'qr';
import type { SharingState } from '../../contract/admin/site-address.ts';
import { siteAddressTexts } from '../../texts/admin/site-address.ts';
import { shareTexts as texts } from '../../texts/commands.ts';
import { loadConfiguredSecret, secretText, signPass } from '../auth/secrets.ts';
import { readEnv } from '../env.ts';
import { finishWith } from './run.ts';

/** Calls the sharing of this process or of the running server. */
type CallSharing = (action: 'read' | 'start' | 'stop') => Promise<SharingState>;

const POLL_MS = 1_000;
const PASS_TTL_MS = 60_000;

/** Runs `sorpresa share` through the server that runs on this computer. Returns the exit code. */
export async function share({ stop = false, yes = false }): Promise<number> {
  const call = await connectToServer();
  if (call === null) return finishWith(texts.notRunning, 1);
  if (!stop) return startSharing(call, { yes });
  await call('stop');
  return finishWith(texts.stopped, 0);
}

/** Starts sharing and prints its progress until it is online or has failed. Returns the exit code. */
export async function startSharing(call: CallSharing, { yes = false }): Promise<number> {
  const before = await call('read');
  if (!before.available) return finishWith(texts.hasAddress, 1);
  if (before.needs === 'install') return finishWith(siteAddressTexts.troubles.program, 1);
  if (before.needs === 'download' && !yes && !(await confirm())) return finishWith(texts.declined, 1);
  console.log(texts.starting);
  await call('start');
  let enabled: string | null = null;
  for (;;) {
    const { state, address, enable, trouble } = await call('read');
    if (enable !== null && enable !== enabled) console.log(`${siteAddressTexts.starting.enable}\n${enable}`);
    enabled = enable;
    if (state === 'online' && address !== null) {
      console.log(encodeQR(address, 'ascii'));
      return finishWith(texts.online(address), 0);
    }
    if (state === 'off' || state === 'trouble')
      return finishWith(trouble === null ? texts.stopped : siteAddressTexts.troubles[trouble], 1);
    await wait(POLL_MS);
  }
}

/** Returns true after Enter or «s»; false without a keyboard. */
async function confirm(): Promise<boolean> {
  console.log(siteAddressTexts.off.download);
  if (process.stdin.isTTY !== true) return false;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question(texts.agree).finally(() => lines.close());
  return /^\s*(s|sì|si|y)?\s*$/i.test(answer);
}

/** Returns null if no server with these settings answers on this computer. */
async function connectToServer(): Promise<CallSharing | null> {
  const env = readEnv(process.env);
  if ((await secretText(env, 'encryption')) === null) return null;
  const secret = await loadConfiguredSecret(env, 'encryption');
  const origin = `http://127.0.0.1:${env.PORT}`;
  const call: CallSharing = async (action) => {
    const pass = signPass(secret, 'share', { ends: new Date(Date.now() + PASS_TTL_MS), generation: 0 });
    const answer = await fetch(`${origin}/api/site/sharing`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ action, pass }),
    });
    if (!answer.ok) throw new Error(texts.notRunning);
    return (await answer.json()) as SharingState;
  };
  return call('read').then(
    () => call,
    () => null,
  );
}
