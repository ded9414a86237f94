import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, rmdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of so many MB, for real, that can be filled to its last byte. */
export type SmallDisk = {
  /** Where programs started `through` it find it. */
  folder: string;
  /** What to put before a command, so that it sees the disk. */
  through: string[];
  /** The same folder for this process. */
  seen: string;
  free(): Promise<number>;
  /** Fills it, but for so many bytes. */
  fill(but?: number): Promise<void>;
  /** Takes away what `fill` put there. */
  empty(): Promise<void>;
  remove(): Promise<void>;
};

/** In a name space of its own, which root and (where the kernel lets them) others may make. Rejects with a sentence where it can't be had. */
export async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-disk-'));
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=0700 none ${folder} && echo ready && exec cat`;
  const holder = spawn('unshare', ['-Urm', 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'pipe'] });
  await ready(holder).catch(async (error: unknown) => {
    await rmdir(folder);
    throw error;
  });
  const seen = `/proc/${holder.pid}/root${folder}`;
  const filling = join(seen, 'filling');
  const free = async () => {
    const { bavail, bsize } = await statfs(seen);
    return bavail * bsize;
  };
  return {
    folder,
    through: ['nsenter', '-t', String(holder.pid), '-U', '-m', '--preserve-credentials'],
    seen,
    free,
    async fill(but = 0) {
      const file = await open(filling, 'a');
      try {
        for (let left = (await free()) - but; left > 0; left = (await free()) - but)
          await file.write(Buffer.alloc(Math.min(left, 1024 * 1024), 1));
      } finally {
        await file.close();
      }
    },
    empty: () => rm(filling, { force: true }),
    async remove() {
      const ended = once(holder, 'exit');
      holder.stdin?.end();
      await ended;
      await rmdir(folder);
    },
  };
}

async function ready(holder: ChildProcess): Promise<void> {
  let said = '';
  holder.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const failed = Promise.withResolvers<never>();
  holder.once('error', failed.reject);
  holder.once('exit', () => failed.reject(new Error(said)));
  await Promise.race([once(holder.stdout as NodeJS.ReadableStream, 'data'), failed.promise]).catch(
    (error: Error) => {
      throw new Error(
        `This check needs a small disk of its own: «unshare -Urm» and a mount of tmpfs must be allowed here (Linux, util-linux, user name spaces). It has not run. ${error.message}`,
      );
    },
  );
}
