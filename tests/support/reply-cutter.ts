import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What becomes of a connection. `at_request`: the client is cut off as soon as its request has passed, before the server can have answered;
 * `after`: so many bytes of the reply get through. `hang_up`: the server hears of it; otherwise it goes on into the void.
 */
export type Cut =
  | { kind: 'none' }
  | ({ hang_up: boolean } & ({ kind: 'at_request' } | { kind: 'after'; bytes: number }));

export type ReplyCutter = { url: string; close(): Promise<void> };

/** A network on which whole requests always arrive at `url`, and replies get lost. `next` is asked once for each connection. */
export async function replyCutter(url: string, next: () => Cut): Promise<ReplyCutter> {
  const target = Number(new URL(url).port);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket.once('close', () => sockets.delete(socket)));
      socket.on('error', () => socket.destroy());
    }
    far.once('close', () => near.destroy());
    carry(near, far, next());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function carry(near: Socket, far: Socket, cut: Cut): void {
  const lose = () => {
    near.resetAndDestroy();
    if (cut.kind !== 'none' && cut.hang_up) far.destroy();
    else far.resume();
  };
  let request = '';
  near.on('data', (chunk: Buffer) => {
    far.write(chunk);
    request += chunk.toString('latin1');
    if (cut.kind === 'at_request' && isWhole(request)) far.write('', () => lose());
  });
  let left = cut.kind === 'after' ? cut.bytes : Number.POSITIVE_INFINITY;
  far.on('data', (chunk: Buffer) => {
    if (near.destroyed) return;
    near.write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) lose();
  });
}

function isWhole(request: string): boolean {
  const [head = '', body] = request.split('\r\n\r\n');
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  return body !== undefined && body.length >= length;
}
