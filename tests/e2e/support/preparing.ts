import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import type { SlotName } from '../../../src/domain/media-slots.ts';
import { commonTexts } from '../../../src/texts/admin/common.ts';
import {
  destinationTextsTexts,
  finalPhrasesTexts,
  ticketInstructionTexts,
  videoButtonTexts,
} from '../../../src/texts/admin/content-forms.ts';
import { dashboardTexts } from '../../../src/texts/admin/dashboard.ts';
import { formTexts } from '../../../src/texts/admin/forms.ts';
import { secondTripTexts, tripMediaTexts } from '../../../src/texts/admin/media.ts';
import { type AdminPath, adminPageTexts, adminPlaces } from '../../../src/texts/admin/pages.ts';
import { phraseListTexts } from '../../../src/texts/admin/phrases.ts';
import { questionsTexts } from '../../../src/texts/admin/questions.ts';
import { slotTexts } from '../../../src/texts/admin/slots.ts';
import { uploadTexts } from '../../../src/texts/admin/uploads.ts';
import { expect } from './stage.ts';

/** The administrator's work as she does it: from the dashboard's cards and back by the arrow, by clicks and keys alone. */

const fixture = (name: string) => resolve(import.meta.dirname, '../../fixtures', name);

/** Opens a page by its card on the dashboard, works on it, and goes back by the arrow. */
export async function onPage(page: Page, path: AdminPath, work: () => Promise<void>): Promise<void> {
  const { title, description } = adminPageTexts[path];
  const cards = page.getByRole('navigation', { name: dashboardTexts.pages });
  await cards.getByRole('link', { name: new RegExp(`^${title} ?${description.slice(0, 10)}`) }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await work();
  await page.getByRole('link', { name: commonTexts.back }).click();
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
}

/** A notice of success, whole. */
export async function told(page: Page, sentence: string): Promise<void> {
  await expect(page.locator('[data-sonner-toast]').filter({ hasText: sentence }).first()).toBeVisible();
}

export async function chooseFile(page: Page, slot: SlotName, name: string): Promise<void> {
  await page.getByLabel(uploadTexts.field(slotTexts[slot].title)).setInputFiles(fixture(name));
}

/** Chooses a file and waits until it is kept. */
export async function upload(page: Page, slot: SlotName, name: string): Promise<void> {
  await chooseFile(page, slot, name);
  await told(page, slotTexts[slot].uploaded);
}

/** Adds phrases to a tab of `/admin/frasi`, one by one. */
export async function addPhrases(
  page: Page,
  tab: 'frasi_pre_video' | 'frasi',
  phrases: readonly string[],
): Promise<void> {
  await page.getByRole('tab', { name: phraseListTexts.lists[tab] }).click();
  for (const phrase of phrases) {
    await page.getByLabel(phraseListTexts.add).fill(phrase);
    await page.getByRole('button', { name: phraseListTexts.addButton, exact: true }).click();
    await expect(page.getByRole('button', { name: phraseListTexts.actions.remove(phrase) })).toBeVisible();
  }
  await told(page, phraseListTexts.added);
}

/** Adds the boxes of a list, writes them and saves. */
export async function writeBoxes(page: Page, phrases: readonly string[], saved: string): Promise<void> {
  for (const [index, phrase] of phrases.entries()) {
    await page.getByRole('button', { name: phraseListTexts.addButton }).click();
    await page.getByLabel(phraseListTexts.item(index + 1), { exact: true }).fill(phrase);
  }
  await save(page, saved);
}

/** Presses «Salva», of a part of the page where there are several. */
export async function save(page: Page, saved: string, part?: string): Promise<void> {
  const where = part === undefined ? page : page.getByRole('region', { name: part, exact: true });
  await where.getByRole('button', { name: formTexts.save, exact: true }).click();
  await told(page, saved);
}

export async function writeQuestions(
  page: Page,
  viaggio: 1 | 2,
  [first, second]: readonly [string, string],
): Promise<void> {
  await page.getByLabel(questionsTexts.fields.prima).fill(first);
  await page.getByLabel(questionsTexts.fields.seconda).fill(second);
  await save(page, questionsTexts.saved[viaggio]);
}

export async function writeButton(page: Page, text: string): Promise<void> {
  await page.getByLabel(videoButtonTexts.field).fill(text);
  await save(page, videoButtonTexts.saved);
}

export async function writeClosings(
  page: Page,
  closings: Record<keyof typeof finalPhrasesTexts.fields, string>,
): Promise<void> {
  for (const key of ['entrambi_si', 'entrambi_no', 'misto'] as const)
    await page.getByLabel(finalPhrasesTexts.fields[key]).fill(closings[key]);
  await save(page, finalPhrasesTexts.saved);
}

export async function writeTitles(page: Page, destination: string, trip: string): Promise<void> {
  await page.getByLabel(destinationTextsTexts.titolo_destinazione).fill(destination);
  await page.getByLabel(destinationTextsTexts.titolo_viaggio).fill(trip);
  await save(page, destinationTextsTexts.saved, adminPlaces['/admin/testi-destinazione'].title);
}

export async function writeInstruction(page: Page, text: string): Promise<void> {
  await page.getByLabel(ticketInstructionTexts.field, { exact: true }).fill(text);
  await save(page, ticketInstructionTexts.saved, adminPlaces['/admin/ticket-instruction'].title);
}

export async function writeDates(page: Page, departure: string, back: string): Promise<void> {
  await page.getByLabel(tripMediaTexts.departure).fill(departure);
  await page.getByLabel(tripMediaTexts.return).fill(back);
  await save(page, tripMediaTexts.datesSaved, tripMediaTexts.dates);
}

export async function writeSecondTrip(page: Page, destination: string, trip: string): Promise<void> {
  await page.getByLabel(secondTripTexts.titolo_destinazione_2).fill(destination);
  await page.getByLabel(secondTripTexts.titolo_viaggio_2).fill(trip);
  await save(page, secondTripTexts.saved);
}
