import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type Radosgw, startRadosgw } from './radosgw.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * Replies to a request with the settings of the run's S3 server (`Radosgw['env']`), which starts at the first
     * request.
     */
    radosgwDoor: string;
  }
}

/** Global setup: one S3 server per run, started at the first request. */
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
