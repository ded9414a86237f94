import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answered } from '../support/http.ts';
import { buildCode, enter, revokeCode, walkTo } from '../support/http-evening.ts';
import { PROXIES } from '../support/proxies.ts';
import { newBucket, type Radosgw, startRadosgw } from '../support/radosgw.ts';
import { announce, finish, idOf, offsetOf, send, ticketsOf } from '../support/uploads.ts';
import { hear } from './hear.ts';
import { longFilm, type Nodes, startNodes } from './nodes.ts';
import { saidTo, visitorIn } from './visitor.ts';

const MIB = 1024 ** 2;
/** Of the film. */
const FILM = 8;
/** Of the tickets: three pieces in the bucket. */
const TICKETS = 19;
/** Answers of every kind to wait for between two events. */
const SOME = 20;
/** Ranges that are refused before the storage comes back. */
const REFUSED = 5;
/** Within which a revocation is heard, in ms. */
const HEARD_MS = 6_000;
/** Before a refused call is said again, in ms. */
const PAUSE_MS = 200;

let radosgw: Radosgw;
beforeAll(async () => {
  radosgw = await startRadosgw();
});
afterAll(() => radosgw?.stop());

describe.each(PROXIES)('two nodes on PostgreSQL and radosgw behind %s', (proxy) => {
  let nodes: Nodes<string>;
  let admin: string;
  beforeAll(async () => {
    const bucket = await newBucket(radosgw.env);
    nodes = await startNodes({
      proxy,
      bucket,
      prepare: (before, evening) => longFilm(before, evening, FILM),
    });
    admin = await nodes.signIn();
  });
  afterAll(() => nodes?.stop());

  test('the storage is killed under a film, an upload and a revocation: all else goes on meanwhile, nothing acknowledged is lost, everybody is back', {
    timeout: 120_000,
  }, async () => {
    const visitor = await visitorIn(nodes, admin, FILM * MIB);
    const revoked = await buildCode(nodes, { admin });
    const heard = await hear(nodes.url, await enter(nodes, { token: revoked }));
    const files = keepFiling({ url: nodes.url, cookie: admin }, await ticketsOf(TICKETS * MIB));
    await visitor.goesOn(SOME);
    await files.more(2);

    await radosgw.kill();
    await visitor.isTold('range 503', REFUSED);
    // Longer than Caddy takes to see that a node isn't well.
    await visitor.goesOn(3 * SOME, ['position 200', 'heartbeat 200']);
    const said = performance.now();
    await revokeCode(nodes, { admin }, revoked);
    expect(await heard.until('disconnected')).toBe(true);
    expect((heard.at('disconnected') ?? Number.NaN) - said).toBeLessThan(HEARD_MS);
    const newcomer = await enter(nodes, { token: await buildCode(nodes, { admin }) });
    await walkTo(nodes, newcomer, 'video');

    await radosgw.start();
    await visitor.goesOn(SOME);
    await files.more(2);
    const failed = await visitor.leave();
    const kept = await files.stop();
    console.log(
      `${proxy}, radosgw killed: ${saidTo(visitor)}; ${kept.length} files kept, ${files.refused.times} refusals`,
    );
    // Ranges alone are refused, or cut where they were under way.
    expect(failed.filter((what) => !/^range (503|-1|UND_ERR_SOCKET),/.test(what))).toEqual([]);
    expect(files.others).toEqual([]);
    for (const each of kept) {
      const answer = await fetch(`${nodes.url}${each}`, { headers: { cookie: admin } });
      const hash = createHash('sha256').update(Buffer.from(await answer.arrayBuffer()));
      expect(answer.headers.get('etag')).toBe(`"${hash.digest('hex')}"`);
    }
    expect(await nodes.ask(`select event_type from event_logs where event_type = 'session_ended'`)).toEqual(
      [],
    );
  });
});

type To = { url: string; cookie: string };

/** Keeps the same file again and again, as a browser does: it asks again where it was refused, and goes on at the byte that is there. */
function keepFiling(to: To, bytes: Buffer) {
  const kept: string[] = [];
  const refused = { times: 0 };
  const others: string[] = [];
  let isOver = false;
  const good = async (asked: Promise<Answered>, status: number): Promise<Answered | null> => {
    const answer = await asked;
    if (answer.status === status) return answer;
    if (answer.status === 503) refused.times += 1;
    else others.push(`${answer.status} ${answer.text}`);
    await delay(PAUSE_MS);
    return null;
  };
  const file = async (): Promise<string> => {
    const filename = `${randomBytes(4).toString('hex')}.pdf`;
    const announced = () => good(announce(to, bytes.length, { slot: 'biglietti', filename }), 201);
    const id = idOf(await repeated(announced));
    for (;;) {
      const offset = await offsetOf(to, id);
      if (offset !== null && offset < bytes.length)
        await good(send(to, id, offset, bytes.subarray(offset)), 204);
      const ended = await good(finish(to, id), 200);
      if (ended?.body.state === 'done') return ended.body.item.url;
    }
  };
  const all = (async () => {
    while (!isOver) kept.push(await file());
  })();
  return {
    others,
    refused,
    /** So many more of them. */
    more: (count: number) => {
      const least = kept.length + count;
      return expect.poll(() => kept.length).toBeGreaterThanOrEqual(least);
    },
    /** Stops after the one under way; where all that were kept are. */
    async stop(): Promise<string[]> {
      isOver = true;
      await all;
      return kept;
    },
  };
}

async function repeated<T>(work: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const value = await work();
    if (value !== null) return value;
  }
}
