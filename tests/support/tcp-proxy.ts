import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * pass: forwards bytes. cut: resets all connections, new ones included. silent: forwards nothing and stays connected.
 */
export type ProxyMode = 'pass' | 'cut' | 'silent';

export type TcpProxy = {
  port: number;
  set(mode: ProxyMode): void;
  /** Returns the number of bytes received from the target. */
  brought(): number;
  close(): Promise<void>;
};

/** A network between a client and `port` of this machine that can fail. */
export async function tcpProxy(port: number): Promise<TcpProxy> {
  let mode: ProxyMode = 'pass';
  const pairs = new Map<Socket, Socket>();
  const far = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, (near) => {
    near.on('error', () => near.destroy());
    if (mode === 'cut') return void near.resetAndDestroy();
    const other = connect(port, '127.0.0.1');
    far.add(other);
    other.on('error', () => other.destroy());
    near.on('close', () => other.destroy());
    other.on('close', () => near.destroy());
    near.on('close', () => pairs.delete(near));
    pairs.set(near, other);
    if (mode === 'pass') join(near, other);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      mode = next;
      for (const [near, other] of pairs) {
        if (mode === 'pass') join(near, other);
        if (mode === 'cut') near.resetAndDestroy();
        if (mode === 'silent') part(near, other);
      }
    },
    brought: () => [...far].reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    async close() {
      for (const near of pairs.keys()) near.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function join(near: Socket, far: Socket): void {
  near.pipe(far);
  far.pipe(near);
  near.resume();
}

function part(near: Socket, far: Socket): void {
  near.unpipe(far).pause();
  far.unpipe(near).pause();
}
