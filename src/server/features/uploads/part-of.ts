import type { Course } from '../../media-worker/worker.ts';

/** The course of a part of a work, that begins and ends at these shares (0 to 1) of the whole. */
export const partOf = (course: Course, from: number, to: number): Course => ({
  ...course,
  progress: (share) => course.progress(from + (to - from) * share),
});
