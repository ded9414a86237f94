import type { TaskControl } from '../../media-worker/worker.ts';

/** The course of a part of a work, that begins and ends at these shares (0 to 1) of the whole. */
export const subProgress = (course: TaskControl, from: number, to: number): TaskControl => ({
  ...course,
  progress: (share) => course.progress(from + (to - from) * share),
});
