import type { Viaggio } from '../domain/content.ts';
import type { StageContent } from '../domain/stage-content.ts';

/**
 * Returns true if the song plays in stage `step`. It starts after the video and again with the second trip's phrases.
 * It fades when a trip's answers are sent, or at the closing if there were no questions. Computed from the first stage
 * each time, so a resumed visit sounds like an uninterrupted one.
 * @param answered the trips whose answers the server has
 */
export function shouldSongPlay(
  stages: readonly StageContent[],
  step: number,
  answered: ReadonlySet<Viaggio>,
): boolean {
  return stages.slice(0, step + 1).reduce((plays, content, index) => {
    switch (content.stage) {
      case 'video':
        return index < step;
      case 'between_phrases':
        return true;
      case 'phrases':
        return plays || content.viaggio === 2;
      case 'questions':
        return plays && !answered.has(content.viaggio);
      case 'closing':
        return false;
      default:
        return plays;
    }
  }, false);
}
