import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { demoContent } from '../../demo/content.ts';
import { spoken } from '../../src/domain/golden.ts';
import { expect, test } from './support/stage.ts';
import { sees } from './support/walk.ts';

/**
 * One full evening of the demo, as it is and in real time: nothing is faked, nothing is skipped. `DEMO_PROGRAM` may name the program as it was
 * released and installed.
 */

const root = resolve(import.meta.dirname, '../..');
type Demo = { url: string; code: string; stop: () => Promise<void> };

async function startDemo(): Promise<Demo> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sorpresa-demo-'));
  const env = { ...process.env, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [process.env.DEMO_PROGRAM ?? 'src/program/sorpresa.ts', 'demo'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = await readUntil(child, /^Amministratore: /);
  const value = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    'Indirizzo',
    'Codice',
    'Codice singolo',
    'La sorpresa si prepara qui',
    'Amministratore',
  ]);
  const stop = async () => {
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    await rm(dataDir, { recursive: true });
  };
  return { url: value('Indirizzo'), code: value('Codice'), stop };
}

async function readUntil(child: ChildProcess, last: RegExp): Promise<string[]> {
  const lines: string[] = [];
  if (child.stdout === null) throw new Error('the demo has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (last.test(line)) return lines;
  }
  throw new Error(`The demo ended before it was ready: ${lines.join('\n')}`);
}

test('the demo, from the code to the last phrase, in real time', { tag: '@long' }, async ({ page }) => {
  test.setTimeout(300_000);
  const demo = await startDemo();
  try {
    await page.goto(demo.url);
    await page.getByPlaceholder('Il tuo codice').fill(demo.code);
    await page.getByRole('button', { name: 'Scopri la Sorpresa' }).tap();
    for (const phrase of demoContent.frasi_pre_video) await sees(page, spoken(phrase));
    const start = page.getByRole('button', { name: demoContent.video_button_text });
    await expect(start).toBeEnabled({ timeout: 30_000 });
    await start.tap();
    await expect(page.getByText(demoContent.frasi[0] ?? '', { exact: true }).first()).toBeAttached({
      timeout: 40_000,
    });
    for (const phrase of demoContent.frasi) await sees(page, spoken(phrase));

    await expect(
      page.getByRole('heading', { name: demoContent.titolo_destinazione, exact: true }),
    ).toBeVisible();
    await takeTickets();
    await answerBoth(demoContent.domanda_1, demoContent.domanda_2);
    for (const phrase of [...demoContent.frasi_tra_viaggi, ...demoContent.frasi_secondo_viaggio])
      await sees(page, spoken(phrase));
    await expect(
      page.getByRole('heading', { name: demoContent.titolo_destinazione_2, exact: true }),
    ).toBeVisible();
    await takeTickets();
    await answerBoth(demoContent.domanda_1_viaggio_2, demoContent.domanda_2_viaggio_2);
    for (const phrase of demoContent.frasi_finali_secondo_viaggio) await sees(page, spoken(phrase));
    await expect(page).toHaveURL(`${demo.url}/`, { timeout: 20_000 });
  } finally {
    // A page that outlived its server would complain of it.
    await page.close();
    await demo.stop();
  }

  async function takeTickets() {
    const download = page.waitForEvent('download', { timeout: 30_000 });
    await page.getByRole('link', { name: 'Scarica i biglietti' }).tap({ timeout: 20_000 });
    expect((await download).suggestedFilename()).toBe('biglietti.pdf');
  }

  async function answerBoth(...questions: string[]) {
    for (const question of questions) {
      await page.getByRole('group', { name: question }).getByRole('button', { name: 'Sì' }).tap();
    }
  }
});
