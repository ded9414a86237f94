import { rm } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import type { StepName } from '../../src/domain/checklist.ts';
import { withoutMarkers } from '../../src/domain/phrases.ts';
import { checklistTexts, dashboardTexts } from '../../src/texts/admin/dashboard.ts';
import { commonTexts } from '../../src/texts/admin/forms.ts';
import { closingIdeas, phraseIdeas, questionIdeas } from '../../src/texts/admin/phrases.ts';
import { newFolder, startServer } from '../support/server.ts';
import { expectAxeClean } from './support/accessible.ts';
import { account } from './support/admin.ts';
import { fixture } from './support/admin-media.ts';
import { expect, inTime, submit, test } from './support/stage.ts';
import { withPhone } from './support/visitor.ts';
import { answer, downloadTickets, phrases, startVideo } from './support/walk.ts';

/** The whole product: an empty folder, a new administrator, and a phone that opens the prepared evening. */

const [pre = '', post = '', between = '', final = ''] = (
  ['frasi_pre_video', 'frasi', 'frasi_secondo_viaggio', 'frasi_finali_secondo_viaggio'] as const
).map((list) => phraseIdeas[list][0]);
const [[one, two], [three, four]] = [questionIdeas[1][0] ?? ['', ''], questionIdeas[2][0] ?? ['', '']];

test('leads from an empty folder to a code in 45 taps, and to an evening of two trips in 90', async ({
  page,
  browser,
}) => {
  test.slow();
  // A notice that appears between press and release would receive the press.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  /** Touches on the page. Typing into a focused field and the phone's own file chooser are none. */
  let taps = 0;
  const dataDir = await newFolder();
  const server = await startServer({ dataDir });
  try {
    await page.goto(`${server.url}/admin`);
    await expect(page.getByRole('heading', { name: 'Primo accesso' })).toBeVisible();
    await expectAxeClean(page);
    await write('E-mail', account.email);
    await write('Password', account.password);
    await tapOn('Registrati');
    await follow('Per chi è, quando, con che vestito');
    // From here on, only «Avanti» changes the page. Steps that aren't needed are passed over.
    await write('Come si chiama', 'Giulia');
    await onward('pre_phrases', 1);
    await takeIdea([pre]);
    await onward('video', 1);
    await upload('Il video', 'video-3s.mp4');
    await onward('song', 1);
    await upload('La canzone', 'song.mp3');
    await onward('phrases', 1);
    await takeIdea([post]);
    await onward('destination', 1);
    await upload('Immagine della destinazione', 'picture.jpg');
    await upload('Biglietti', 'ticket.pdf');
    await write('Titolo della destinazione', 'Lisbona');
    await write('Titolo del viaggio', 'Tre giorni a Lisbona');
    await write('Data di partenza', '3 marzo 2027');
    await write('Data di ritorno', '6 marzo 2027');
    await untilSaved();
    await onward('questions', 1);
    await takeIdea([one, two]);
    await onward('closing', 1);
    for (const outcome of ['entrambi_si', 'entrambi_no', 'misto'] as const)
      await takeIdea([closingIdeas[outcome][0] ?? '']);
    await onward('online', 1);
    await onward('rehearsal', 1);
    await onward('code', 1);
    // The name of a required field contains a star.
    await write('Nome *', 'Giulia');
    await tapOn('Crea il codice');
    const code = /ROM-[0-9A-Z]{8}/.exec((await codeOn(page).textContent()) ?? '')?.[0] ?? '';
    expect(taps).toBeLessThanOrEqual(45);
    await follow(new RegExp(`^${checklistTexts.home}`));
    await expect(page.getByRole('heading', { name: 'La serata di Giulia è quasi pronta.' })).toBeVisible();
    // The address works on this machine only, so the code isn't shared yet.
    await expect(page.getByRole('link', { name: 'Portala in rete', exact: true })).toBeVisible();

    await count(page.getByText(dashboardTexts.pages));
    await follow(/^Dettagli secondo viaggio/);
    await count(page.getByRole('switch', { name: 'C’è un secondo viaggio' }));
    await follow(/^Frasi del secondo viaggio/);
    await takeIdea([between]);
    await onward('destination', 2);
    await upload('Immagine del secondo viaggio', 'picture.jpg');
    await upload('Biglietti del secondo viaggio', 'ticket.png');
    await write('Titolo seconda destinazione', 'Dolomiti');
    await write('Titolo secondo viaggio', 'La neve vera');
    await write('Data di partenza', '4 dicembre 2027');
    await write('Data di ritorno', '8 dicembre 2027');
    await untilSaved();
    await onward('questions', 2);
    await takeIdea([three, four]);
    await onward('closing', 2);
    await takeIdea([final]);
    await follow(commonTexts.back);
    await expect(page).toHaveURL(`${server.url}/admin/dashboard`);
    expect(taps).toBeLessThanOrEqual(90);

    await withPhone(browser, async (phone) => {
      await phone.goto(server.url);
      await live(phone, code, page);
      await inTime(phone, phone.getByRole('button', { name: 'Ho un codice' }));
    });
    await expect(page.getByRole('heading', { name: 'Ha detto sì' })).toBeVisible();
    await expect(page.getByRole('group', { name: 'Le risposte' }).locator('dl > div')).toHaveText([
      `${one}Sì`,
      `${two}Sì`,
      `${three}Sì`,
      `${four}Sì`,
    ]);
  } finally {
    await page.close();
    await server.stop();
    await rm(dataDir, { recursive: true });
  }

  async function count(control: Locator): Promise<void> {
    taps++;
    await control.tap();
  }

  function tapOn(button: string): Promise<void> {
    return count(page.getByRole('button', { name: button, exact: true }));
  }

  function follow(link: string | RegExp): Promise<void> {
    return count(page.getByRole('link', { name: link }));
  }

  async function write(label: string, text: string): Promise<void> {
    const field = page.getByLabel(label, { exact: true });
    if (!(await field.evaluate((element) => element === document.activeElement))) taps++;
    await field.fill(text);
  }

  async function upload(title: string, name: string): Promise<void> {
    taps++;
    await page.getByLabel(`File: ${title}`, { exact: true }).setInputFiles(fixture(name));
    await expect(page.getByRole('main').getByText(name).first(), title).toBeVisible({ timeout: 60_000 });
  }

  /** Takes an idea, and waits until its lines are in the fields. */
  async function takeIdea(lines: string[]): Promise<void> {
    await tapOn(lines.join(' '));
    const written = () =>
      page.locator('textarea').evaluateAll((all: HTMLTextAreaElement[]) => all.map(({ value }) => value));
    await expect.poll(written).toEqual(expect.arrayContaining(lines));
  }

  /** Waits until the texts and dates of a trip are saved: until then «Avanti» may lead back to the dates. */
  async function untilSaved(): Promise<void> {
    const { saved, ...unsaved } = commonTexts.saveStates;
    await expect(page.getByRole('button', { name: saved, exact: true }).first()).toBeVisible();
    for (const state of Object.values(unsaved))
      await expect(page.getByText(state, { exact: true })).toHaveCount(0);
  }

  /** Follows «Avanti» to the named step, once the step before is complete. */
  async function onward(name: StepName, viaggio: 1 | 2): Promise<void> {
    const to = checklistTexts.onwardTo({ name, viaggio });
    const here = page.url();
    await follow(new RegExp(`^${to}\\.`));
    await expect(page, to).not.toHaveURL(here);
  }
});

const codeOn = (page: Page): Locator => page.getByText(/ROM-[0-9A-Z]{8}/).first();

async function live(phone: Page, code: string, dashboard: Page): Promise<void> {
  // As people type a code.
  await submit(phone, ` ${code.toLowerCase().replace('-', ' ')} `);
  await phrases(phone, [withoutMarkers(pre)]);
  // The dashboard follows without a reload.
  await expect(dashboard.getByRole('heading', { name: 'Giulia è al video' })).toBeVisible();
  await startVideo(phone);
  await phrases(phone, [withoutMarkers(post)]);
  await inTime(phone, phone.getByText('3 marzo 2027'));
  await downloadTickets(phone);
  await answer(phone, one, 'Sì');
  await answer(phone, two, 'Sì');
  await phrases(phone, [withoutMarkers(between)]);
  await inTime(phone, phone.getByText('4 dicembre 2027'));
  await downloadTickets(phone);
  await answer(phone, three, 'Sì');
  await answer(phone, four, 'Sì');
  await phrases(phone, [withoutMarkers(final)]);
}
