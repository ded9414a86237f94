import { FORCED_DISCONNECT, NOTICE_MS } from '../../../domain/limits.ts';
import type { ChartFailure, Notice } from '../../../experience/ports.ts';
import { eveningErrorSentences } from '../../../texts/evening-errors.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { createStore } from '../../ui/store.ts';
import { toastAgain } from '../../ui/toaster/toast.ts';

/** What is being said in the scene. `ms`: how long it stays. */
export type SceneNotice = {
  kind: 'success' | 'error';
  text: string;
  description: string | null;
  ms: number;
  /** It belongs to the trip card: nowhere else is it said. */
  ofCard: boolean;
};

const shown = createStore<SceneNotice | null>(null);
/** When the notice on show is over, on the page's clock. */
let endsAt = 0;

export const noticeOnShow = shown.state;
export const subscribeToNotices = shown.subscribe;

/** Begins the time of the notice on show; returns what stops it. */
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

/** The evening is left for the access screen: what isn't over yet stays there, as a toast, for the rest of its time. */
export function moveNoticeToToast(): void {
  const left = endsAt - performance.now();
  const onShow = shown.state();
  if (onShow !== null && left > 0 && !onShow.ofCard) {
    const { kind, text, description } = onShow;
    toastAgain(kind, text, { duration: left, ...(description !== null && { description }) });
  }
  clearNotice();
}

/** Says it in the scene; what was being said gives way. Every error that is shown is also left in the console (spec 8). */
export function showNotice(
  kind: SceneNotice['kind'],
  text: string,
  { description = null, ms = NOTICE_MS, ofCard = false }: Partial<Omit<SceneNotice, 'kind' | 'text'>> = {},
): void {
  if (kind === 'error') console.warn(text);
  endsAt = performance.now() + ms;
  shown.set({ kind, text, description, ms, ofCard });
}

/** The chart's notices, in the spec's sentences (section 8). */
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
      return showNotice('success', texts.downloadStarted, { ofCard: true });
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
