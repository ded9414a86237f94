import type { TaskControl } from '../../media-worker/worker.ts';

/** Returns the control of a part that spans these shares (0 to 1) of the whole task. */
export const subProgress = (control: TaskControl, from: number, to: number): TaskControl => ({
  ...control,
  progress: (share) => control.progress(from + (to - from) * share),
});
