import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { call } from '../../support/http.ts';
import { ok } from '../../support/http-evening.ts';
import type { Opened } from './prepared-folders.ts';
import { expect } from './stage.ts';

/** Marks payloads. One that is treated as more than text calls `xss()` or requests an address with this in it. */
const STOLEN = 'rubato';

/** A payload for each place that could treat a text as more, short enough for the shortest field (50 characters). */
const PAYLOADS = [
  '<script>xss()</script>',
  `"><img src=${STOLEN} onerror=xss()>`,
  `'><img src=//${STOLEN}.test/x>`,
  '<svg onload=xss()>',
  '<iframe srcdoc="<script>xss()</script>">',
  `<a href=javascript:xss()>${STOLEN}</a>`,
  'javascript:xss()',
  '</textarea><script>xss()</script>',
  '</title><script>xss()</script>',
  `<style>@import'//${STOLEN}.test/x'</style>`,
  "{{constructor.constructor('xss()')()}}",
  '&lt;script&gt;xss()&lt;/script&gt;',
  '%3Cscript%3Exss()%3C/script%3E',
] as const;

/** Returns all payloads in as few texts as possible, each of at most `max` characters. */
function packs(max: number): string[] {
  const found: string[] = [];
  for (const payload of PAYLOADS) {
    const longer = `${found.at(-1)} ${payload}`;
    if (found.length > 0 && longer.length <= max) found[found.length - 1] = longer;
    else found.push(payload);
  }
  return found;
}

/** Returns one of these texts. */
const oneOf = (max: number, at: number): string => packs(max)[at % packs(max).length] ?? '';

/** Returns a list to which every forbidden event is added. */
export async function watch(context: BrowserContext, url: string): Promise<string[]> {
  const happened: string[] = [];
  await context.exposeFunction('xss', () => void happened.push('a payload ran'));
  context.on('dialog', (dialog) => {
    happened.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    const address = request.url();
    const isOwn = address.startsWith(`${url}/`) || /^(blob|data|about):/.test(address);
    if (!isOwn || address.includes(STOLEN)) happened.push(`a request: ${address}`);
  });
  return happened;
}

/** Returns the visible text and field values of the page and of its phone previews, with single spaces. */
async function shown(page: Page): Promise<string> {
  const text = await page.evaluate(() => {
    const documents = [
      document,
      ...Array.from(document.querySelectorAll('iframe'), (of) => of.contentDocument),
    ];
    return documents
      .flatMap((of) => [
        of?.body?.innerText ?? '',
        ...Array.from(
          of?.querySelectorAll('input, textarea') ?? [],
          (field) => (field as HTMLInputElement).value,
        ),
      ])
      .join('\n');
  });
  return text.replaceAll(/\s+/g, ' ');
}

/** Waits until the page shows these texts unchanged: what became markup is not shown. */
export async function showsAsTyped(page: Page, texts: readonly string[]): Promise<void> {
  const missing = async () => {
    const all = await shown(page);
    return texts.filter((text) => !all.includes(text));
  };
  await expect.poll(missing, { timeout: 20_000 }).toEqual([]);
}

/** A surprise whose texts are all payloads, and the records of its visits. */

/** Complete lists: all payloads, in texts of at most this many characters. */
const PHRASES = packs(400);
const NAMES = packs(100);
const [ALL = ''] = packs(2_000);

/** Returns every text of the configuration and of the questions. Neighbouring texts differ. */
export function hostileTexts() {
  const title = (of: number) => oneOf(200, of);
  const single = {
    video_button_text: oneOf(50, 0),
    titolo_destinazione: title(0),
    titolo_viaggio: title(1),
    data_partenza: title(2),
    data_ritorno: title(3),
    titolo_destinazione_2: title(4),
    titolo_viaggio_2: title(5),
    data_partenza_2: title(6),
    data_ritorno_2: title(7),
    testo_istruzioni_biglietti: oneOf(2_000, 0),
    testo_istruzioni_biglietti_2: oneOf(2_000, 0),
    contatto: oneOf(100, 0),
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
    domanda_1: oneOf(500, 0),
    domanda_2: oneOf(500, 1),
    domanda_1_viaggio_2: oneOf(500, 2),
    domanda_2_viaggio_2: oneOf(500, 3),
  };
  return { config, questions, single };
}

/** Returns the payloads that a page of the administrator shows. */
export function shownOn(path: string): readonly string[] {
  const { config, questions, single } = hostileTexts();
  const shown: Record<string, readonly string[]> = {
    '/admin/frasi': PHRASES,
    '/admin/intermediate-phrases': PHRASES,
    '/admin/second-trip-phrases': PHRASES,
    '/admin/second-trip-final-phrases': PHRASES,
    '/admin/frasi-finali': [ALL],
    '/admin/video-button': [config.video_button_text],
    '/admin/second-trip-checkbox': [questions.domanda_1_viaggio_2, questions.domanda_2_viaggio_2],
    '/admin/serata': [config.contatto],
    '/admin/preview': [...Object.values(single), ...Object.values(questions), ...PHRASES],
    ...Object.fromEntries(RECORDS.map((of) => [of, NAMES])),
    '/admin/immagine': [
      ...NAMES,
      config.titolo_destinazione,
      config.titolo_viaggio,
      config.testo_istruzioni_biglietti,
    ],
    // The page shows the newest ten of the ended visits.
    '/admin/sessions': NAMES.slice(-10),
  };
  return shown[path] ?? [];
}

/** Pages with names of codes and files, and with records of visits. */
const RECORDS = [
  '/admin/video',
  '/admin/second-trip-details',
  '/admin/token',
  '/admin/logs',
  '/admin/checkbox',
];

/** Fills names of codes, user agents and file names, and in the records also values that no call would accept. */
export async function fillRecords({ admin, server }: Opened): Promise<void> {
  const { db } = server.deps;
  const urls = await db.selectFrom('admin_config').selectAll().executeTakeFirstOrThrow();
  const created_at = new Date().toISOString();
  for (const [index, text] of NAMES.entries()) {
    const { token } = await admin.call<{ token: string }>('POST', '/admin/tokens', { nome: text });
    const entry = { token, attempt_id: randomUUID(), device_id: `device-${index}` };
    ok(await call(server.url, 'POST', '/access', entry, { headers: { 'user-agent': text } }));
    const visit = { token_value: text, device_id: text, user_agent: text };
    // In the future, so that no silence closes the visit during a test.
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
