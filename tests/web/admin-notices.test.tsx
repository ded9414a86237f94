import { expect, test, vi } from 'vitest';
import type { SlotName } from '../../src/domain/media.ts';
import { dashboardTexts } from '../../src/texts/admin/dashboard.ts';
import { commonTexts } from '../../src/texts/admin/forms.ts';
import { savedTexts } from '../../src/texts/admin/media.ts';
import { adminPageTexts } from '../../src/texts/admin/pages.ts';
import { networkTexts } from '../../src/texts/dates.ts';
import {
  type Answers,
  defaults,
  type Inputs,
  type Outputs,
  offline,
  refused,
  sentence,
  unreadable,
} from '../support/admin-answers.ts';
import { press } from '../support/admin-hand.ts';
import { alerts } from '../support/admin-look.ts';
import { answerWith, arrived, openPage, pass, sent, takeNotices } from '../support/admin-page.tsx';

const titles = { ...adminPageTexts, '/admin/dashboard': dashboardTexts };

/** Messages of the pages for a failed read without a listed error code. */
const GENERAL = 'Errore nel caricamento';
const OF_CONFIGURATION = 'Errore nel caricamento della configurazione';
const ROWS: [path: keyof typeof titles, call: keyof Outputs, sentence: string][] = [
  ['/admin/video', 'config.read', OF_CONFIGURATION],
  ['/admin/video', 'media.list', 'Errore nel caricamento dei video'],
  ['/admin/video-button', 'config.read', GENERAL],
  ['/admin/frasi', 'config.read', GENERAL],
  ['/admin/intermediate-phrases', 'config.read', 'Errore nel caricamento delle frasi'],
  ['/admin/second-trip-phrases', 'config.read', 'Impossibile caricare le frasi del secondo viaggio'],
  ['/admin/second-trip-final-phrases', 'config.read', 'Impossibile caricare le frasi finali'],
  ['/admin/musica', 'media.list', GENERAL],
  ['/admin/immagine', 'config.read', OF_CONFIGURATION],
  ['/admin/checkbox', 'questions.read', 'Errore nel caricamento delle domande'],
  ['/admin/checkbox', 'answers.list', GENERAL],
  ['/admin/checkbox', 'answers.replies', GENERAL],
  ['/admin/second-trip-checkbox', 'questions.read', 'Errore nel caricamento delle domande'],
  ['/admin/frasi-finali', 'config.read', 'Impossibile caricare le frasi finali'],
  ['/admin/second-trip-details', 'config.read', 'Impossibile caricare la configurazione'],
  ['/admin/token', 'tokens.list', GENERAL],
  ['/admin/sessions', 'sessions.list', 'Errore caricamento sessioni'],
  ['/admin/logs', 'logs.list', 'Errore caricamento log'],
  ['/admin/preview', 'config.read', OF_CONFIGURATION],
  ['/admin/preview', 'questions.read', OF_CONFIGURATION],
  ['/admin/pronta', 'ready.read', GENERAL],
  ['/admin/serata', 'config.read', OF_CONFIGURATION],
  ['/admin/rete', 'sharing.read', GENERAL],
  ['/admin/telefoni', 'diagnosis.list', GENERAL],
  ['/admin/piano-b', 'planB.read', GENERAL],
  ['/admin/notifiche', 'config.read', OF_CONFIGURATION],
  ['/admin/notifiche', 'notifications.status', GENERAL],
  ['/admin/cestino', 'bin.list', GENERAL],
  ['/admin/copia', 'archive.look', GENERAL],
  ['/admin/cancella', 'erase.look', GENERAL],
  ['/admin/dashboard', 'dashboard', GENERAL],
  ['/admin/dashboard', 'questions.read', GENERAL],
  ['/admin/dashboard', 'sessions.list', GENERAL],
];
/** Time until a read gives up, in ms: its three retries wait 1, 2 and 4 s. */
const GIVE_UP_MS = 8_000;

test.each(ROWS)('shows on %s that %s failed, until a retry succeeds', async (path, call, own) => {
  await openPage(path, { [call]: unreadable });
  // A placeholder is shown until then.
  expect(document.querySelector('[data-coming],select:disabled')).not.toBeNull();
  expect(failed()).toBeUndefined();
  await pass(GIVE_UP_MS);
  expect(failed()).toBe(own + commonTexts.retry);
  expect(takeNotices().filter((text) => text.includes(own)).length).toBeGreaterThan(0);
  await again({ [call]: defaults[call as keyof typeof defaults] });
  await arrived();
  expect(failed()).toBeUndefined();
  expect(document.querySelector('header h1')?.textContent).toEqual(titles[path].title);
});

test('sends four requests if replies are lost, one if it is refused', async () => {
  const call = 'bin.list';
  await openPage('/admin/cestino', { [call]: offline });
  await pass(GIVE_UP_MS);
  expect([sent(call).length, failed()]).toEqual([4, networkTexts.offline + commonTexts.retry]);
  await again({ [call]: unreadable }, GIVE_UP_MS);
  expect(sent(call).length).toBe(8);
  await again({ [call]: refused('NOT_FOUND') });
  expect([sent(call).length, failed()]).toEqual([9, sentence('NOT_FOUND') + commonTexts.retry]);
});

async function again(answer: Answers, ms = 0): Promise<void> {
  answerWith(answer);
  await press(commonTexts.retry);
  await pass(ms);
}

/** Returns the alert with the retry button. */
const failed = () => alerts().find((text) => text.endsWith(commonTexts.retry));

test('reports the second trip’s unreadable files without a notice', async () => {
  const list = ({ slot }: Inputs['media.list']) =>
    slot.endsWith('_2') ? refused('UNAVAILABLE') : defaults['media.list']({ slot });
  await openPage('/admin/second-trip-details', { 'media.list': list });
  await pass(GIVE_UP_MS);
  expect(takeNotices()).toEqual([]);
  expect(console.warn).toHaveBeenCalledWith(savedTexts.listUnavailable, expect.anything());
  const quiet = () => document.body.textContent.split(savedTexts.listUnavailable).length - 1;
  expect(quiet()).toBe(2);
  answerWith({ 'media.list': defaults['media.list'] });
  await press(commonTexts.retry);
  expect(quiet()).toBe(1);
  vi.mocked(console.warn).mockClear();
});

test('requests the files of each slot of one page, and reports the slot that failed', async () => {
  const requested: SlotName[] = [];
  await openPage('/admin/immagine', {
    'media.list': ({ slot }) => {
      requested.push(slot);
      return slot === 'biglietti' ? refused('NOT_FOUND') : defaults['media.list']({ slot });
    },
  });
  expect(new Set(requested)).toEqual(new Set(['immagine', 'biglietti']));
  expect(failed()).toBe(sentence('NOT_FOUND') + commonTexts.retry);
  expect(takeNotices()).toEqual([`✗ ${sentence('NOT_FOUND')}`]);
});
