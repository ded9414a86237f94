import { connect } from 'node:net';
import type { LoadClient, LoadRequest } from './load.ts';

/** Shared buffer of all connections; its content is never used. */
const BUFFER = Buffer.allocUnsafe(256 * 1024);
const END_OF_HEAD = '\r\n\r\n';

type Answered = { status: number; bytes: number };
type Connection = { ask(loadRequest: LoadRequest): Promise<Answered>; end(): void };

/**
 * A client for large replies that only uses sockets and counts bytes. Node's own client costs more per MiB than the
 * servers do, so it would be measured instead of them. Replies must state their length.
 */
export function rawClient(): LoadClient {
  const idle: { url: string; connection: Connection }[] = [];
  return {
    async ask(url, loadRequest) {
      const at = idle.findIndex((one) => one.url === url);
      const { connection } = idle.splice(at, at < 0 ? 0 : 1)[0] ?? { connection: open(url) };
      const answered = await connection.ask(loadRequest);
      idle.push({ url, connection });
      return answered;
    },
    end: () => {
      for (const { connection } of idle) connection.end();
    },
  };
}

function open(url: string): Connection {
  const { hostname, port, host } = new URL(url);
  let answer = Promise.withResolvers<Answered>();
  let head: string | null = '';
  let [status, length, left] = [0, 0, 0];

  function onRead(read: number): boolean {
    const body = head === null ? read : bodyIn(read, head);
    left -= body;
    if (head === null && left === 0) answer.resolve({ status, bytes: length });
    return true;
  }

  /** Returns the number of body bytes in the chunk that ends the head. */
  function bodyIn(read: number, before: string): number {
    const textSoFar = before + BUFFER.toString('latin1', 0, read);
    const end = textSoFar.indexOf(END_OF_HEAD);
    head = end < 0 ? textSoFar : null;
    if (end < 0) return 0;
    status = Number(textSoFar.slice(9, 12));
    length = Number(/\r\ncontent-length: (\d+)/i.exec(textSoFar.slice(0, end))?.[1]);
    left = length;
    if (Number.isNaN(length)) answer.reject(new Error('An answer did not say its length'));
    return textSoFar.length - end - END_OF_HEAD.length;
  }

  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: { buffer: BUFFER, callback: onRead },
  });
  socket.on('error', (error) => answer.reject(error));
  socket.on('close', () => answer.reject(new Error('The connection ended in the middle of an answer')));
  return {
    ask({ method, path, headers = {} }) {
      answer = Promise.withResolvers<Answered>();
      head = '';
      const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
      socket.write([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      return answer.promise;
    },
    end: () => socket.destroy(),
  };
}
