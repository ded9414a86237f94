import type { Viaggio } from '../domain/content.ts';
import type { StageContent } from '../domain/stage-content.ts';

/**
 * Does the song play in stage `step`? (decision 10) It starts when the video ends and again with the phrases of the second trip; it
 * fades when a trip's answers are sent, and at the closing when none were asked. Worked out from the beginning each time, so that
 * a visit taken up again sounds as one that was never left.
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
