import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
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

  test('are no more than there is room for', () => {
    const streams = createStreams(2_000);
    const forget = Array.from({ length: 2_000 }, (_, i) => streams.add(`session ${i}`, fakeStream()));
    expect(streams.full()).toBe(true);
    forget[7]?.();
    expect(streams.full()).toBe(false);
    streams.close();
  });
});
