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

/** What the chart has to say: in the scene, and what of it goes on as a toast where the evening is left. */

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

test('a forced disconnect names the contact, in the scene and then for the rest of its 10 s on the access screen', async () => {
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

test('where no contact is configured it is the administrator', () => {
  noticePort()(disconnected(null));
  expect(noticeOnShow()?.description).toBe('Contatta l’amministratore per maggiori informazioni');
});

test('a notice is over after 4 s, and gives way to the next', async () => {
  const tell = noticePort();
  tell({ kind: 'download_started' });
  expect(noticeOnShow()?.text).toBe('Download avviato!');
  const stop = timeNotice(noticeOnShow()!);
  await vi.advanceTimersByTimeAsync(3_000);
  tell({ kind: 'answers_failed' });
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

test('every error of hers is left in the console too, once, and no success is', async () => {
  const notices: [Notice, string][] = [
    [{ kind: 'answers_failed' }, "Errore nell'invio delle risposte"],
    [{ kind: 'failed', code: 'CONFIG_MISSING' }, "Configurazione non trovata - Contatta l'amministratore"],
    [{ kind: 'failed', code: 'VIDEO_MISSING' }, "Video non ancora configurato dall'amministratore"],
    [{ kind: 'failed', code: 'VIDEO_FAILED' }, 'Errore caricamento video'],
    [{ kind: 'failed', code: 'LOADING' }, 'Errore nel caricamento della configurazione'],
    [disconnected(null), "Sei stato disconnesso dall'amministratore"],
  ];
  const tell = noticePort();
  const said: (string | undefined)[] = [];
  for (const [notice] of notices) {
    tell(notice);
    said.push(noticeOnShow()?.text);
  }
  const sentences = notices.map(([, sentence]) => sentence);
  expect(said).toEqual(sentences);
  moveNoticeToToast();
  await vi.waitFor(() => expect(toasts()).toHaveLength(1));
  tell({ kind: 'download_started' });
  tell({ kind: 'completed', bothYes: false });
  expect(noticeOnShow()).toMatchObject({ kind: 'success', text: 'Le risposte sono state inviate.' });
  expect(logged).toEqual(sentences);
});

test('the end of an evening is told, however long ago the answers were', () => {
  const tell = noticePort();
  tell({ kind: 'completed', bothYes: true });
  expect(noticeOnShow()?.text).toBe('Ti amo...Le risposte sono state inviate.');
});

test('what belongs to the card is said on its stub and nowhere else, nor on the access screen', async () => {
  const lines = () => [
    renderToStaticMarkup(createElement(NoticeLine, { at: 'stub' })),
    renderToStaticMarkup(createElement(NoticeLine)),
  ];
  const tell = noticePort();
  tell({ kind: 'download_started' });
  expect(lines()).toEqual([expect.stringContaining('Download avviato!'), expect.not.stringContaining('<p>')]);
  moveNoticeToToast();
  await vi.advanceTimersByTimeAsync(0);
  expect(toasts()).toEqual([]);
  // What went wrong is said wherever she is by then.
  tell({ kind: 'download_failed' });
  for (const line of lines()) expect(line).toContain('Errore durante il download');
});
