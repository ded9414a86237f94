import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Notice } from '../../src/experience/ports.ts';
import { noticeBoard } from '../../src/web/visitor/experience/notices.ts';

/** What the chart has to say, as toasts: what is handed to the library that shows them. */

const shown = vi.hoisted(() => ({ error: vi.fn<Shown>(), success: vi.fn<Shown>() }));
type Shown = (sentence: string, options: object) => void;
vi.mock('../../src/web/ui/toaster/mount.tsx', () => ({ mountToasts: () => shown }));

let logged: string[];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void logged.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  shown.error.mockReset();
  shown.success.mockReset();
});

const errors = (count: number) => vi.waitFor(() => expect(shown.error.mock.calls).toHaveLength(count));

test('a forced disconnect stays for 10 s and names the contact', async () => {
  noticeBoard()({ kind: 'disconnected', reason: 'token_revoked', contatto: '@marco' });
  await errors(1);
  expect(shown.error).toHaveBeenCalledWith("Sei stato disconnesso dall'amministratore", {
    description: 'Contatta @marco per maggiori informazioni',
    duration: 10_000,
  });
});

test('where no contact is configured it is the administrator', async () => {
  noticeBoard()({ kind: 'disconnected', reason: 'token_deleted', contatto: null });
  await errors(1);
  expect(shown.error.mock.lastCall?.[1]).toMatchObject({
    description: "Contatta l'amministratore per maggiori informazioni",
  });
});

test('every error of hers is left in the console too, and no success is', async () => {
  const notices: [Notice, string][] = [
    [{ kind: 'answers_failed' }, "Errore nell'invio delle risposte"],
    [{ kind: 'failed', code: 'CONFIG_MISSING' }, "Configurazione non trovata - Contatta l'amministratore"],
    [{ kind: 'failed', code: 'VIDEO_MISSING' }, "Video non ancora configurato dall'amministratore"],
    [{ kind: 'failed', code: 'VIDEO_FAILED' }, 'Errore caricamento video'],
    [{ kind: 'failed', code: 'LOADING' }, 'Errore nel caricamento della configurazione'],
    [
      { kind: 'disconnected', reason: 'token_revoked', contatto: null },
      "Sei stato disconnesso dall'amministratore",
    ],
  ];
  const tell = noticeBoard();
  for (const [notice] of notices) tell(notice);
  tell({ kind: 'download_started' });
  tell({ kind: 'answers_sent', bothYes: false });
  await errors(notices.length);
  const sentences = notices.map(([, sentence]) => sentence);
  expect(shown.error.mock.calls.map(([sentence]) => sentence)).toEqual(sentences);
  expect(logged).toEqual(sentences);
  expect(shown.success.mock.calls.map(([sentence]) => sentence)).toEqual([
    'Download avviato!',
    'Le risposte sono state inviate.',
  ]);
});
