import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sweepMedia } from '../../src/server/features/media/sweep.ts';
import { call } from './http.ts';
import { type Evening, ok, saveConfig } from './http-evening.ts';
import type { TestServer } from './server.ts';
import { upload } from './uploads.ts';

const SWEEP_EVERY_MS = 20;

/**
 * Enters, uploads songs, saves and sweeps until stopped; returns the acknowledged entries.
 * @param pauseMs pause of each of the three visitors between visits
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
  // A replaced song is removed soon. Without a pause the sweep would block SQLite and the process for all others.
  const sweep = () => sweepMedia(server.deps).then(() => delay(SWEEP_EVERY_MS));
  // In sequence: a new song changes the version that a save is based on.
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
