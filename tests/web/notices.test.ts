import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Notice } from '../../src/experience/ports.ts';
import { NoticeLine } from '../../src/web/visitor/experience/notice-line.tsx';
import {
  clearNotice,
  moveNoticeToToast,
  noticeOnShow,
  noticePort,
  timeNotice,
} from '../../src/web/visitor/experience/notices.ts';

/** Notices of the statechart: shown in the scene, continued as a toast after the evening is left. */

const shown = vi.hoisted(() => ({ error: vi.fn<Shown>(), success: vi.fn<Shown>() }));
type Shown = (sentence: string, options: object) => void;
vi.mock('../../src/web/ui/toaster/mount.tsx', () => ({ mountToasts: () => shown }));

let logged: string[];
beforeEach(() => {
  logged = [];
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void logged.push(line));
});
afterEach(() => {
  clearNotice();
  vi.useRealTimers();
  vi.restoreAllMocks();
  shown.error.mockReset();
  shown.success.mockReset();
});

const toasts = () => [...shown.error.mock.calls, ...shown.success.mock.calls];
const disconnected = (contatto: string | null): Notice => ({
  kind: 'disconnected',
  reason: 'token_revoked',
  contatto,
});

test('names the contact of a forced disconnect in the scene, then for the rest of its 10 s on the access page', async () => {
  noticePort()(disconnected(null));
  expect(noticeOnShow()?.description).toBe('Contatta l’amministratore per maggiori informazioni');
  noticePort()(disconnected('@marco'));
  expect(noticeOnShow()).toMatchObject({
    text: "Sei stato disconnesso dall'amministratore",
    description: 'Contatta @marco per maggiori informazioni',
  });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(toasts()).toEqual([]);
  moveNoticeToToast();
  await vi.waitFor(() => expect(toasts()).toHaveLength(1));
  expect(shown.error).toHaveBeenCalledWith("Sei stato disconnesso dall'amministratore", {
    description: 'Contatta @marco per maggiori informazioni',
    duration: 8_000,
  });
  expect(noticeOnShow()).toBeNull();
});

test('hides a notice after 4 s, and replaces it with the next', async () => {
  const notify = noticePort();
  notify({ kind: 'download_started' });
  expect(noticeOnShow()?.text).toBe('Download avviato!');
  const stop = timeNotice(noticeOnShow()!);
  await vi.advanceTimersByTimeAsync(3_000);
  notify({ kind: 'answers_failed' });
  stop();
  timeNotice(noticeOnShow()!);
  await vi.advanceTimersByTimeAsync(3_999);
  expect(noticeOnShow()?.text).toBe("Errore nell'invio delle risposte");
  await vi.advanceTimersByTimeAsync(1);
  expect(noticeOnShow()).toBeNull();
  moveNoticeToToast();
  await vi.advanceTimersByTimeAsync(0);
  expect(toasts()).toEqual([]);
});

test('logs each error notice once, and no success', async () => {
  const notices: [Notice, string][] = [
    [{ kind: 'answers_failed' }, "Errore nell'invio delle risposte"],
    [{ kind: 'failed', code: 'LOADING' }, 'Errore nel caricamento della configurazione'],
    [disconnected(null), "Sei stato disconnesso dall'amministratore"],
  ];
  const notify = noticePort();
  const texts: (string | undefined)[] = [];
  for (const [notice] of notices) {
    notify(notice);
    texts.push(noticeOnShow()?.text);
  }
  const sentences = notices.map(([, sentence]) => sentence);
  expect(texts).toEqual(sentences);
  moveNoticeToToast();
  await vi.waitFor(() => expect(toasts()).toHaveLength(1));
  notify({ kind: 'download_started' });
  notify({ kind: 'completed', bothYes: false });
  expect(noticeOnShow()).toMatchObject({ kind: 'success', text: 'Le risposte sono state inviate.' });
  notify({ kind: 'completed', bothYes: true });
  expect(noticeOnShow()?.text).toBe('Ti amo...Le risposte sono state inviate.');
  expect(logged).toEqual(sentences);
});

test('shows download notices only on the card’s stub, and errors everywhere', async () => {
  const lines = () => [
    renderToStaticMarkup(createElement(NoticeLine, { at: 'stub' })),
    renderToStaticMarkup(createElement(NoticeLine)),
  ];
  const notify = noticePort();
  notify({ kind: 'download_started' });
  expect(lines()).toEqual([expect.stringContaining('Download avviato!'), expect.not.stringContaining('<p>')]);
  moveNoticeToToast();
  await vi.advanceTimersByTimeAsync(0);
  expect(toasts()).toEqual([]);
  // Errors are shown in both places.
  notify({ kind: 'download_failed' });
  for (const line of lines()) expect(line).toContain('Errore durante il download');
});
