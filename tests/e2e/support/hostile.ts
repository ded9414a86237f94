import { randomUUID } from 'node:crypto';
import { call } from '../../support/http.ts';
import { ok } from '../../support/http-evening.ts';
import type { Opened } from './prepared-folders.ts';
import { inRound, packs } from './xss.ts';

/** A surprise whose every text tries to be more than text, and what its visits leave. */

/** Whole lists: all payloads, in texts of at most so many signs. */
const PHRASES = packs(400);
const NAMES = packs(100);
const [ALL = ''] = packs(2_000);

/** Rounds until every payload has stood in every single text. */
export const ROUNDS = { button: packs(50).length, contact: packs(100).length, title: packs(200).length };

/** Every text of the configuration and of the questions in this round; side by side they are never the same. */
export function hostileTexts(round: number) {
  const title = (of: number) => inRound(200, round + of);
  const single = {
    video_button_text: inRound(50, round),
    titolo_destinazione: title(0),
    titolo_viaggio: title(1),
    data_partenza: title(2),
    data_ritorno: title(3),
    titolo_destinazione_2: title(4),
    titolo_viaggio_2: title(5),
    data_partenza_2: title(6),
    data_ritorno_2: title(7),
    testo_istruzioni_biglietti: inRound(2_000, round),
    testo_istruzioni_biglietti_2: inRound(2_000, round),
    contatto: inRound(100, round),
  };
  const config = {
    ...single,
    frasi_pre_video: PHRASES,
    frasi: PHRASES,
    frasi_tra_viaggi: PHRASES,
    frasi_secondo_viaggio: PHRASES,
    frasi_finali_secondo_viaggio: PHRASES,
    frasi_finali: { entrambi_si: ALL, entrambi_no: ALL, misto: ALL },
  };
  const questions = {
    domanda_1: inRound(500, round),
    domanda_2: inRound(500, round + 1),
    domanda_1_viaggio_2: inRound(500, round + 2),
    domanda_2_viaggio_2: inRound(500, round + 3),
  };
  return { config, questions, single };
}

/** What a page of the administrator shows of it. */
export function shownOn(path: string, round: number): readonly string[] {
  const { config, questions, single } = hostileTexts(round);
  const shown: Record<string, readonly string[]> = {
    '/admin/frasi': PHRASES,
    '/admin/intermediate-phrases': PHRASES,
    '/admin/second-trip-phrases': PHRASES,
    '/admin/second-trip-final-phrases': PHRASES,
    '/admin/frasi-finali': [ALL],
    '/admin/video-button': [config.video_button_text],
    '/admin/testi-destinazione': [config.titolo_destinazione, config.titolo_viaggio],
    '/admin/ticket-instruction': [config.testo_istruzioni_biglietti],
    '/admin/second-trip-checkbox': [questions.domanda_1_viaggio_2, questions.domanda_2_viaggio_2],
    '/admin/serata': [config.contatto],
    '/admin/preview': [...Object.values(single), ...Object.values(questions), ...PHRASES],
    ...Object.fromEntries(RECORDS.map((of) => [of, NAMES])),
    // Of visits that are over there are the latest ten.
    '/admin/sessions': NAMES.slice(-10),
  };
  return shown[path] ?? [];
}

/** Pages of names of codes and files, and of what is recorded of visits. */
const RECORDS = [
  '/admin/video',
  '/admin/immagine',
  '/admin/biglietti',
  '/admin/second-trip-details',
  '/admin/token',
  '/admin/logs',
  '/admin/checkbox',
];

/** Names of codes, user agents and file names; and in the records what no call of ours would let in. */
export async function fillRecords({ admin, server }: Opened): Promise<void> {
  const { db } = server.deps;
  const urls = await db.selectFrom('admin_config').selectAll().executeTakeFirstOrThrow();
  const created_at = new Date().toISOString();
  for (const [index, text] of NAMES.entries()) {
    const { token } = await admin.call<{ token: string }>('POST', '/admin/tokens', { nome: text });
    const entry = { token, attempt_id: randomUUID(), device_id: `device-${index}` };
    ok(await call(server.url, 'POST', '/access', entry, { headers: { 'user-agent': text } }));
    const visit = { token_value: text, device_id: text, user_agent: text };
    // No silence closes it while a test is under way.
    const last_activity = new Date(Date.now() + 3_600_000).toISOString();
    const changed = db
      .updateTable('active_sessions')
      .set({ ...visit, last_activity })
      .where('device_id', '=', entry.device_id);
    await changed.execute();
    const session = db.selectFrom('active_sessions').select('id').where('device_id', '=', text);
    const { id: session_id } = await session.executeTakeFirstOrThrow();
    const metadata = JSON.stringify({ reason: text, exit_point: text });
    const file = (url: string | null) => ({ nome: text, url });
    const answers = { session_id, viaggio: 1, token_value: text, risposta_1: true, risposta_2: false };
    const rows: [table: string, row: object][] = [
      ['event_logs', { ...visit, event_type: text, success: false, error_message: text, metadata }],
      ['checkbox_responses', answers],
      ['videos', file(urls.video_url)],
      ['biglietti', { ...file(urls.biglietti_url), tipo: 'pdf' }],
      ['biglietti', { ...file(urls.biglietti_url), tipo: 'secondo_viaggio' }],
      ['immagini_destinazione', file(urls.immagine_destinazione_url)],
      ['immagini_destinazione', { ...file(urls.immagine_destinazione_url), tipo: 'secondo_viaggio' }],
    ];
    for (const [table, row] of rows) {
      const whole = { ...row, id: randomUUID(), created_at };
      await db
        .insertInto(table as never)
        .values(whole as never)
        .execute();
    }
  }
}
