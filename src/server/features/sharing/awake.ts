import { type ChildProcess, spawn } from 'node:child_process';
import { findProgram } from './programs.ts';

/** Windows may sleep again once the program that called this ends: ES_CONTINUOUS | ES_SYSTEM_REQUIRED. */
const WINDOWS = `$kernel = Add-Type -PassThru -Namespace Awake -Name Kernel -MemberDefinition '[DllImport("kernel32.dll")] public static extern uint SetThreadExecutionState(uint flags);'
[void]$kernel::SetThreadExecutionState(2147483649)
Wait-Process -Id`;

/** Command per platform that prevents sleep while this process runs. */
const COMMANDS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['caffeinate', '-i', '-w', String(process.pid)],
  linux: ['systemd-inhibit', '--what=sleep:idle', '--who=sorpresa', '--why=La sorpresa è in rete', 'cat'],
  win32: ['powershell', '-NoProfile', '-Command', `${WINDOWS} ${process.pid}`],
};

/** Prevents sleep of this computer until this process ends. Returns a function that ends it earlier. Does nothing if unsupported. */
export function keepAwake(): () => void {
  const [program = '', ...args] = COMMANDS[process.platform] ?? [];
  const path = findProgram(program);
  if (path === null) return () => {};
  // `cat` ends with its input, which ends with this process.
  const child: ChildProcess = spawn(path, args, { stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true });
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  return () => void child.kill();
}
