import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { LiveMessage } from '../../src/contract/visit.ts';
import { type EventStream, openEventStream } from '../../src/server/live/event-stream.ts';
import { createStreams } from '../../src/server/live/streams.ts';

describe('a stream nobody reads', () => {
  test('is cut when more than 64 kB wait for its client, however much is sent', async () => {
    const answering = Promise.withResolvers<ServerResponse>();
    const server = createServer((_incoming, outgoing) => answering.resolve(outgoing));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const outgoing = await answering.promise;
    const stream = openEventStream(outgoing);
    const message: LiveMessage = {
      type: 'disconnected',
      disconnection: { reason: 'token_revoked', contatto: 'x'.repeat(1_000) },
    };
    let most = 0;
    for (let sent = 0; sent < 50_000 && !outgoing.destroyed; sent += 1) {
      stream.send(message);
      most = Math.max(most, outgoing.writableLength);
      if (sent % 100 === 0) await new Promise(setImmediate);
    }
    expect(outgoing.destroyed).toBe(true);
    expect(most).toBeLessThan(66 * 1024);
    client.destroy();
    server.close();
  });
});

describe('a stream', () => {
  test('numbers what it says, and ends with a goodbye and when to come back; nothing follows', () => {
    const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
    let text = '';
    outgoing.write = (chunk: string) => {
      text += chunk;
      return true;
    };
    const stream = openEventStream(outgoing);
    stream.send({ type: 'ping' });
    stream.end(1_234);
    stream.send({ type: 'ping' });
    const said = (type: string, id: number) => `event: ${type}\nid: ${id}\ndata: {"type":"${type}"}\n\n`;
    expect(text).toBe(`retry: 3000\n\n${said('ping', 1)}${said('ping', 2)}retry: 1234\n${said('bye', 3)}`);
    expect([outgoing.statusCode, outgoing.writableEnded]).toEqual([200, true]);
  });
});

describe('the streams of a node', () => {
  afterEach(() => vi.useRealTimers());

  function fakeStream(): EventStream & { said: string[] } {
    const said: string[] = [];
    return {
      said,
      opened: performance.now(),
      send: (message) => void said.push(message.type),
      end: (retryMs) => void said.push(`end ${retryMs ?? ''}`.trim()),
    };
  }

  test('are pinged every 15 seconds and ended after half an hour', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const streams = createStreams();
    const stream = fakeStream();
    streams.add('one', stream);
    vi.advanceTimersByTime(45_000);
    expect(stream.said).toEqual(['ping', 'ping', 'ping']);
    vi.advanceTimersByTime(30 * 60_000);
    expect(stream.said.find((said) => said.startsWith('end'))).toMatch(/^end [1-5]\d{3}$/);
    streams.close();
  });

  test('are ended half an hour after they were opened, and not before', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const streams = createStreams();
    vi.advanceTimersByTime(45 * 60_000);
    const stream = fakeStream();
    streams.add('one', stream);
    vi.advanceTimersByTime(30 * 60_000);
    expect(new Set(stream.said)).toEqual(new Set(['ping']));
    expect(stream.said).toHaveLength(120);
    vi.advanceTimersByTime(15_000);
    expect(stream.said.at(-1)).toMatch(/^end [1-5]\d{3}$/);
    streams.close();
    const after = stream.said.length;
    vi.advanceTimersByTime(60_000);
    expect(stream.said).toHaveLength(after);
  });

  test('of one session are five at most, whatever others have: a sixth ends the oldest', () => {
    const streams = createStreams();
    const mine = Array.from({ length: 5 }, fakeStream);
    const forget = mine.map((stream) => streams.add('mine', stream));
    streams.add('another', fakeStream());
    expect(mine.flatMap(({ said }) => said)).toEqual([]);
    const sixth = fakeStream();
    streams.add('mine', sixth);
    expect(mine.map(({ said }) => said)).toEqual([['end'], [], [], [], []]);
    expect(streams.count()).toBe(6);
    // The one that was ended is forgotten once.
    forget[0]?.();
    expect(streams.count()).toBe(6);
    forget[1]?.();
    forget[1]?.();
    expect(streams.count()).toBe(5);
    streams.close();
    expect([mine[1]?.said, mine[2]?.said]).toEqual([[], [expect.stringMatching(/^end [1-5]\d{3}$/)]]);
  });

  test('are no more than there is room for', () => {
    const streams = createStreams(2_000);
    const forget = Array.from({ length: 2_000 }, (_, i) => streams.add(`session ${i}`, fakeStream()));
    expect(streams.full()).toBe(true);
    forget[7]?.();
    expect(streams.full()).toBe(false);
    streams.close();
  });
});
