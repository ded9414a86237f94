import { type Child, startChild } from './child-process.ts';

/** Manages one child: started on demand, ended after a time without tasks. */
export type ManagedChild = {
  /** Returns the running child, or starts one. */
  child(): Child;
  /** Starts the idle timeout; `child` cancels it. */
  rest(): void;
  end(): Promise<void>;
  pid(): number | null;
};

/** @param mostMemory bytes that the child may hold */
export function createManagedChild(idleMs: number, mostMemory: number): ManagedChild {
  let kept: Child | null = null;
  let idle: NodeJS.Timeout | null = null;
  const wake = () => {
    if (idle !== null) clearTimeout(idle);
    idle = null;
  };
  const end = async () => {
    wake();
    const ending = kept;
    ending?.kill();
    await ending?.ended;
  };
  return {
    child() {
      wake();
      if (kept !== null) return kept;
      const started = startChild(mostMemory);
      kept = started;
      void started.ended.then(() => {
        if (kept === started) kept = null;
      });
      return started;
    },
    rest() {
      wake();
      idle = setTimeout(() => void end(), idleMs).unref();
    },
    end,
    pid: () => kept?.process.pid ?? null,
  };
}
