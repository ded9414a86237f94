import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sweepMedia } from '../../src/server/features/media/media.sweeper.ts';
import { call } from './http.ts';
import { type Evening, ok, saveConfig } from './http-evening.ts';
import type { TestServer } from './server.ts';
import { upload } from './uploads.ts';

const SWEEP_EVERY_MS = 20;

/**
 * Enters, sends songs, saves and sweeps until it is told to stop; what was acknowledged when.
 * @param pauseMs between a visitor and the next of the same three
 */
export function startBackgroundLoad(server: TestServer, { admin, token }: Evening, pauseMs = 0) {
  let going = true;
  const entered: { attempt_id: string; cookie: string }[] = [];
  const again = async (work: () => Promise<unknown>) => {
    while (going) await work();
  };
  const visit = async () => {
    const attempt_id = randomUUID();
    const body = { token: token.token, attempt_id, device_id: `device-${attempt_id}` };
    const { cookie } = ok(await call(server.url, 'POST', '/access', body));
    entered.push({ attempt_id, cookie });
    ok(await call(server.url, 'POST', '/visit/position', { step: 1, phrase: 0, second: 0 }, { cookie }));
    await delay(pauseMs);
  };
  const song = () =>
    upload({ url: server.url, cookie: admin }, 'canzone', join(import.meta.dirname, '../fixtures/song.mp3'));
  let saved = 0;
  const save = async () => {
    saved += 1;
    await saveConfig(server, admin, { titolo_viaggio: `Lisbona ${saved}` });
  };
  // The song before goes soon after there is a new one. Without a pause it would keep SQLite, and the process, from all the others.
  const sweep = () => sweepMedia(server.deps).then(() => delay(SWEEP_EVERY_MS));
  // One after the other: a song that arrives changes the version that a save is based on.
  const prepare = () => song().then(save);
  const works = [visit, visit, visit, prepare, sweep].map(again);
  return {
    entered,
    stop: async () => {
      going = false;
      await Promise.all(works);
    },
  };
}
