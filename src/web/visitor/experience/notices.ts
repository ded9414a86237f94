import { FORCED_DISCONNECT } from '../../../domain/limits.ts';
import type { FailureCode, Notice } from '../../../experience/ports.ts';
import { errorSentences } from '../../../texts/errors.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { toastError, toastSuccess } from '../../ui/toaster/toast.ts';

/**
 * The chart's notices as toasts, in the spec's sentences (section 8).
 * An evening without a closing phrase ends on the success notice; where the answers' own is still on the screen, that one is it.
 */
export function noticeBoard(): (notice: Notice) => void {
  let thanked = false;
  return (notice) => {
    if (notice.kind === 'completed' && thanked) return;
    if (notice.kind === 'answers_sent' || notice.kind === 'completed') thanked = true;
    show(notice);
  };
}

function show(notice: Notice): void {
  switch (notice.kind) {
    case 'answers_sent':
    case 'completed':
      return toastSuccess(notice.bothYes ? texts.answersSentBothYes : texts.answersSent);
    case 'answers_failed':
      return trouble(texts.answersFailed);
    case 'download_started':
      return toastSuccess(texts.downloadStarted);
    case 'failed':
      return trouble(failureSentences[notice.code]);
    case 'disconnected':
      return toastError(texts.disconnected, {
        description: notice.contatto === null ? texts.noContact : texts.contact(notice.contatto),
        duration: FORCED_DISCONNECT.noticeMs,
      });
  }
}

const failureSentences: Record<FailureCode, string> = {
  CONFIG_MISSING: errorSentences.CONFIG_MISSING,
  VIDEO_MISSING: errorSentences.VIDEO_MISSING,
  VIDEO_FAILED: texts.videoFailed,
  LOADING: texts.configurationFailed,
};

/** The same trouble again takes the place of its notice. */
function trouble(sentence: string): void {
  toastError(sentence, { id: sentence });
}
