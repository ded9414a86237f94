import { FORCED_DISCONNECT, NOTICE_MS } from '../../../domain/limits.ts';
import type { ChartFailure, Notice } from '../../../experience/ports.ts';
import { eveningErrorSentences, experienceTexts as texts } from '../../../texts/experience.ts';
import { createStore } from '../../ui/store.ts';
import { toastAgain } from '../../ui/toaster/toast.ts';

/** Notice in the scene. `ms` is its duration. */
export type SceneNotice = {
  kind: 'success' | 'error';
  text: string;
  description: string | null;
  ms: number;
  /** Belongs to the trip card and appears only there. */
  isOfCard: boolean;
};

const shown = createStore<SceneNotice | null>(null);
/** End of the current notice, on the page's clock. */
let endsAt = 0;

export const noticeOnShow = shown.state;
export const subscribeToNotices = shown.subscribe;

/**
 * Starts the current notice's time.
 * @returns the function that stops it
 */
export function timeNotice(notice: SceneNotice): () => void {
  endsAt = performance.now() + notice.ms;
  const timer = setTimeout(() => {
    if (shown.state() === notice) clearNotice();
  }, notice.ms);
  return () => clearTimeout(timer);
}

export function clearNotice(): void {
  shown.set(null);
}

/** Moves an unexpired notice to a toast on the access screen, for its remaining time, when the evening is left. */
export function moveNoticeToToast(): void {
  const left = endsAt - performance.now();
  const onShow = shown.state();
  if (onShow !== null && left > 0 && !onShow.isOfCard) {
    const { kind, text, description } = onShow;
    toastAgain(kind, text, { duration: left, ...(description !== null && { description }) });
  }
  clearNotice();
}

/** Shows a notice in the scene, in place of the current one. Logs every visible error (spec 8). */
export function showNotice(
  kind: SceneNotice['kind'],
  text: string,
  { description = null, ms = NOTICE_MS, isOfCard = false }: Partial<Omit<SceneNotice, 'kind' | 'text'>> = {},
): void {
  if (kind === 'error') console.warn(text);
  endsAt = performance.now() + ms;
  shown.set({ kind, text, description, ms, isOfCard: isOfCard });
}

/** Returns the chart's port for notices, with the spec's sentences (section 8). */
export function noticePort(): (notice: Notice) => void {
  return show;
}

function show(notice: Notice): void {
  switch (notice.kind) {
    case 'completed':
      return showNotice('success', notice.bothYes ? texts.answersSentBothYes : texts.answersSent);
    case 'answers_failed':
      return showNotice('error', texts.answersFailed);
    case 'download_started':
      return showNotice('success', texts.downloadStarted, { isOfCard: true });
    case 'download_failed':
      return showNotice('error', texts.downloadFailed);
    case 'failed':
      return showNotice('error', failureSentences[notice.code]);
    case 'disconnected':
      return showNotice('error', texts.disconnected, {
        description: notice.contatto === null ? texts.noContact : texts.contact(notice.contatto),
        ms: FORCED_DISCONNECT.noticeMs,
      });
  }
}

const failureSentences: Record<ChartFailure, string> = {
  CONFIG_MISSING: eveningErrorSentences.CONFIG_MISSING,
  VIDEO_MISSING: eveningErrorSentences.VIDEO_MISSING,
  VIDEO_FAILED: texts.videoFailed,
  LOADING: texts.configurationFailed,
};
