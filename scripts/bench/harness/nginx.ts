import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../tests/support/free-port.ts';
import { killOnExit } from '../../../tests/support/kill-on-exit.ts';
import { ended, type ServerUnderTest } from './servers.ts';
import type { Cleanup } from './suite.ts';

/** Starts nginx with the film in this folder and one worker, like the other servers; null if it is not installed. */
export async function startNginx(ends: Cleanup, folder: string): Promise<ServerUnderTest | null> {
  if (spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status !== 0) return null;
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration(folder, port));
  const began = performance.now();
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  killOnExit(child);
  ends.push(() => ended(child));
  await reachable(port);
  return {
    urls: [`http://127.0.0.1:${port}`],
    pids: [child.pid ?? 0],
    readyMs: performance.now() - began,
    evening: null,
  };
}

/** Temporary folders and the pid file are in `folder`, because nginx may run as any user. */
const configuration = (folder: string, port: number) => `daemon off;
master_process off;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server { listen 127.0.0.1:${port}; location = /film { alias ${folder}/film.mp4; } }
}
`;

async function reachable(port: number): Promise<void> {
  for (let attempts = 0; attempts < 100; attempts += 1) {
    const answers = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.unref();
    });
    if (answers) return;
    await delay(50);
  }
  throw new Error('nginx did not start');
}
