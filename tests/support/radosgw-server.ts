import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type Radosgw, startRadosgw } from './radosgw.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers a request with the way into the run's S3 server (`Radosgw['env']`), starting it at the first one. */
    radosgwDoor: string;
  }
}

/** One S3 server per run, started only if a test asks for it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<Radosgw> | null = null;
  const door = createServer((_request, response) => {
    server ??= startRadosgw();
    server.then(
      ({ env }) => response.end(JSON.stringify(env)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening));
  project.provide('radosgwDoor', `http://127.0.0.1:${(door.address() as AddressInfo).port}`);
  return async () => {
    door.closeAllConnections();
    door.close();
    await (await server)?.stop();
  };
}
