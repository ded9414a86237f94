import type { FileRefusal, MediaWarning } from '../../../contract/admin/media.ts';
import type { Refused } from '../../refused.ts';
import type { Course } from './jobs.ts';

/** Where a file under check lies, and where something may be made of it. */
export type Places = { path: string; made: string };

/** A file found good: where its bytes are (as they came, or made anew), and what they are. */
export type Good = {
  path: string;
  extension: string;
  content_type: string;
  warnings: MediaWarning[];
};

/** Says what a file is by its bytes, and makes of it what will be kept. */
export type Check = (places: Places, course: Course) => Promise<Good | Refused<FileRefusal>>;
