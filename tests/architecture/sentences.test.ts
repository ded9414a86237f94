import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { errorSentences } from '../../src/texts/errors.ts';
import { experienceTexts } from '../../src/texts/experience.ts';
import { rehearsalTexts } from '../../src/texts/rehearsal.ts';

/**
 * Every sentence of the evening and every notice of the administrator's stands word for word in a test that says it; every refusal is met in a
 * test, by its sentence or by its code (all their sentences stand in tests/texts/words.test.ts).
 */

const root = resolve(import.meta.dirname, '../..');
/** Patterns and strings without the signs that only escape. */
const plain = (text: string) => text.replaceAll(/\\([?.!'()])/g, '$1');
const tests = new Map(
  readdirSync(resolve(root, 'tests'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(test|spec)\.tsx?$/.test(name) || name.endsWith('-cases.ts'))
    .filter((name) => !import.meta.filename.endsWith(name))
    .map((name) => [name.replaceAll('\\', '/'), plain(readFileSync(resolve(root, 'tests', name), 'utf8'))]),
);
const occasions = [...tests].filter(([name]) => name !== 'texts/words.test.ts').map(([, text]) => text);

const escaped = (words: string) => words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Does a string or a pattern of a test begin with the sentence, its blanks filled, and end with it? */
function isSaid(sentence: string, files: Iterable<string> = tests.values()): boolean {
  const filled = sentence.split(/\{\w+\}/).map(escaped);
  const said = new RegExp(`['"\`/^]${filled.join('[^\n]+')}['"\`/$]`);
  return [...files].some((file) => said.test(file));
}

const texts = (sentences: object) => Object.values(sentences).filter((text) => typeof text === 'string');

test('refusals', () => {
  const met = (code: string) => occasions.some((file) => new RegExp(`['"\`]${code}['"\`]`).test(file));
  const refusals = Object.entries(errorSentences);
  expect(refusals.length).toBeGreaterThan(40);
  expect(refusals.filter(([code, sentence]) => !met(code) && !isSaid(sentence, occasions))).toEqual([]);
});

test('the evening', () => {
  const sentences = texts(experienceTexts);
  expect(sentences.length).toBeGreaterThan(20);
  expect(sentences.filter((sentence) => !isSaid(sentence))).toEqual([]);
});

/** The names the texts give to what is told: that something worked, failed, lacks or is asked. */
const TOLD =
  /^(saved|failed|missing|blank|outOfRange|required|created|copied|exported|uploaded|selected|removed|added|edited|undone|reordered|extended|revoked|restored|question|changedElsewhere)$|(Failed|Saved|Required|Copied|Added)$|^(cancel|remove|revoke)Question$|^signed(In|Up|Out)$/;

function toldBy(told: unknown, key = ''): string[] {
  if (typeof told === 'string') return TOLD.test(key) ? [told] : [];
  if (typeof told !== 'object' || told === null) return [];
  // Numbers are trips: what is told of each is told under the name above them.
  return Object.entries(told).flatMap(([name, text]) => toldBy(text, /^\d+$/.test(name) ? key : name));
}

/** Words of the same names that are no notices. */
const WORDS = new Set(['(vuoto)', 'Manca', 'Non salvata', 'Non salvato', 'Salvato']);
/** Nobody is told: there is only one song, no other can be chosen. */
const UNTOLD = 'Canzone selezionata come attiva!';

test('the administrator’s notices', async () => {
  const folder = resolve(root, 'src/texts/admin');
  const modules = await Promise.all(
    readdirSync(folder).map((file): Promise<object> => import(/* @vite-ignore */ resolve(folder, file))),
  );
  const told = new Set([...modules, { rehearsalTexts }].flatMap((sentences) => toldBy(sentences)));
  expect(told.size).toBeGreaterThan(80);
  expect([...told].filter((sentence) => !WORDS.has(sentence) && !isSaid(sentence))).toEqual([UNTOLD]);
});
