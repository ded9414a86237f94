import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROXIES } from '../support/proxies.ts';
import { longFilm, type Nodes, startNodes } from './nodes.ts';
import { saidTo, type Visitor, visitorIn } from './visitor.ts';

const MIB = 1024 ** 2;
/** Of the film. */
const FILM = 8;
/** Answers of every kind to wait for between two events. */
const SOME = 20;
const BOTH = [0, 1] as const;

describe.each(PROXIES)('behind %s', (proxy) => {
  let nodes: Nodes<string>;
  let admin: string;
  beforeAll(async () => {
    nodes = await startNodes({ proxy, prepare: (before, evening) => longFilm(before, evening, FILM) });
    admin = await nodes.signIn();
  });
  afterAll(() => nodes?.stop());

  /** Until the proxy sends visitors to it (again). */
  const isAsked = (which: 0 | 1) =>
    expect
      .poll(() => nodes.node(which).output(), { timeout: 60_000 })
      .toMatch(/"path":"\/api\/(visit|media)\//);
  const endings = async ({ token }: Visitor) =>
    nodes.ask(
      `select event_type from event_logs where token_id = '${token.id}' and event_type in ('session_ended', 'forced_disconnect')`,
    );

  test('one node is restarted after the other, and a visitor in the film loses nothing', async () => {
    const visitor = await visitorIn(nodes, admin, FILM * MIB);
    await visitor.goesOn(SOME);
    for (const which of BOTH) {
      await isAsked(which);
      expect(await nodes.node(which).end('SIGTERM')).toBe(0);
      await visitor.goesOn(SOME);
      await nodes.start(which);
      await isAsked(which);
    }
    await visitor.goesOn(SOME);
    const failed = await visitor.leave();
    console.log(`${proxy}, both restarted: ${saidTo(visitor)}`);
    expect(failed).toEqual([]);
    expect(visitor.answered.get('live 200')).toBeGreaterThan(0);
    expect(await endings(visitor)).toEqual([]);
  });

  test('a node is killed, and a visitor in the film goes on at the other', async () => {
    const visitor = await visitorIn(nodes, admin, FILM * MIB);
    await visitor.goesOn(SOME);
    await isAsked(0);
    await nodes.node(0).end('SIGKILL');
    await visitor.goesOn(5 * SOME);
    await nodes.start(0);
    await isAsked(0);
    await visitor.goesOn(SOME);
    const failed = await visitor.leave();
    console.log(`${proxy}, one killed: ${saidTo(visitor)}`);
    // nginx says it again at the other node, whatever it is; Caddy can't send a body twice: what was sent to the one that is gone is for the page to repeat.
    const forgiven = proxy === 'nginx' ? /^range/ : /^range|^(position|heartbeat) 502,/;
    expect(failed.filter((what) => !forgiven.test(what))).toEqual([]);
    expect(await endings(visitor)).toEqual([]);
  });
});
