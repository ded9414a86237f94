import { type Child, startChild } from './child-process.ts';

/** Manages one child: started on demand, ended after a time without tasks. */
export type ManagedChild = {
  /** Returns the running child, or starts one. */
  child(): Child;
  /** Starts the idle timeout; `child` cancels it. */
  startIdleTimeout(): void;
  end(): Promise<void>;
  pid(): number | null;
};

/** @param maxMemory bytes that the child may hold */
export function createManagedChild(idleMs: number, maxMemory: number): ManagedChild {
  let current: Child | null = null;
  let idle: NodeJS.Timeout | null = null;
  const clearIdle = () => {
    if (idle !== null) clearTimeout(idle);
    idle = null;
  };
  const end = async () => {
    clearIdle();
    const ending = current;
    ending?.kill();
    await ending?.ended;
  };
  return {
    child() {
      clearIdle();
      if (current !== null) return current;
      const started = startChild(maxMemory);
      current = started;
      void started.ended.then(() => {
        if (current === started) current = null;
      });
      return started;
    },
    startIdleTimeout() {
      clearIdle();
      idle = setTimeout(() => void end(), idleMs).unref();
    },
    end,
    pid: () => current?.process.pid ?? null,
  };
}
