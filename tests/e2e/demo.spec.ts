import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { demoContent } from '../../demo/content.ts';
import { withoutMarkers } from '../../src/domain/phrases.ts';
import { expect, submit, test } from './support/stage.ts';
import { answer, expectPhrase } from './support/walk.ts';

/** One complete evening of the demo, unchanged and in real time. `DEMO_PROGRAM` may name a released and installed program. */
const PROGRAM = process.env['DEMO_PROGRAM'] ?? 'src/cli/sorpresa.ts';
const PRINTED = ['Indirizzo', 'Codice', 'Codice singolo', 'La sorpresa si prepara qui', 'Amministratore'];

async function startDemo() {
  const dataDir = await mkdtemp(join(tmpdir(), 'sorpresa-demo-'));
  const env = { ...process.env, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' };
  const cwd = resolve(import.meta.dirname, '../..');
  const child = spawn(process.execPath, [PROGRAM, 'demo'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? [];
    printed.set(name, value);
    if (name === PRINTED.at(-1)) break;
  }
  expect([...printed.keys()]).toEqual(PRINTED);
  return {
    url: printed.get('Indirizzo') ?? '',
    code: printed.get('Codice') ?? '',
    stop: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
      await rm(dataDir, { recursive: true });
    },
  };
}

test('runs the demo from the code to the last phrase in real time', { tag: '@long' }, async ({ page }) => {
  test.setTimeout(300_000);
  const demo = await startDemo();
  const phrases = async (texts: readonly string[]) => {
    for (const text of texts) await expectPhrase(page, withoutMarkers(text), 40_000);
  };
  const trip = async (title: string, questions: readonly string[]) => {
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
    const download = page.waitForEvent('download', { timeout: 30_000 });
    await page.getByRole('link', { name: 'Scarica i biglietti' }).tap({ timeout: 20_000 });
    expect((await download).suggestedFilename()).toBe('biglietti.pdf');
    for (const question of questions) await answer(page, question, 'Sì');
  };
  const content = demoContent;
  try {
    await page.goto(demo.url);
    await submit(page, demo.code);
    await phrases(content.frasi_pre_video);
    const start = page.getByRole('button', { name: content.video_button_text });
    await expect(start).toBeEnabled({ timeout: 30_000 });
    await start.tap();
    await phrases(content.frasi);
    await trip(content.titolo_destinazione, [content.domanda_1, content.domanda_2]);
    await phrases([...content.frasi_tra_viaggi, ...content.frasi_secondo_viaggio]);
    await trip(content.titolo_destinazione_2, [content.domanda_1_viaggio_2, content.domanda_2_viaggio_2]);
    await phrases(content.frasi_finali_secondo_viaggio);
    await expect(page).toHaveURL(`${demo.url}/`, { timeout: 20_000 });
  } finally {
    // A page that is open after its server stopped would log errors.
    await page.close();
    await demo.stop();
  }
});
