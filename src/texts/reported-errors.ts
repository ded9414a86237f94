import { experienceTexts } from './experience.ts';

/** What the administrator is told of an error the visitor saw (spec 7 and 8). */
export const reportedErrors: Record<'video' | 'video_start' | 'loading' | 'download', string> = {
  video: experienceTexts.videoFailed,
  video_start: experienceTexts.videoNotStarted,
  loading: experienceTexts.configurationFailed,
  download: experienceTexts.downloadFailed,
};
