import { experienceTexts } from './experience.ts';

/** Messages to the administrator about an error that the visitor saw (spec 7 and 8). */
export const reportedErrors: Record<'video' | 'video_start' | 'loading' | 'download', string> = {
  video: experienceTexts.videoFailed,
  video_start: experienceTexts.videoNotStarted,
  loading: experienceTexts.configurationFailed,
  download: experienceTexts.downloadFailed,
};
