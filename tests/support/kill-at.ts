import fs from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded before a command (`--import`): kills the process like a power failure, before its `KILL_AT`th disk operation
 * below `KILL_BELOW`.
 */
const { KILL_AT = '0', KILL_BELOW = '' } = process.env;
let steps = 0;

function counted<T extends (...args: never[]) => unknown>(step: T): T {
  return ((...args: Parameters<T>) => {
    if (args.some((arg: unknown) => typeof arg === 'string' && arg.startsWith(KILL_BELOW))) steps += 1;
    if (steps === Number(KILL_AT)) process.kill(process.pid, 'SIGKILL');
    return step(...args);
  }) as T;
}

for (const name of ['mkdir', 'open', 'readdir', 'rename', 'rm', 'writeFile'] as const)
  Object.assign(files, { [name]: counted(files[name] as (...args: never[]) => unknown) });
for (const name of ['createReadStream', 'createWriteStream'] as const)
  Object.assign(fs, { [name]: counted(fs[name] as (...args: never[]) => unknown) });
syncBuiltinESMExports();
