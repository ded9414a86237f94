import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES } from '../../src/contract/pages.ts';
import * as limits from '../../src/domain/limits.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { experienceTexts } from '../../src/texts/experience.ts';
import { rehearsalTexts } from '../../src/texts/rehearsal.ts';

/** Holds docs/spec-map.md to what is there: what it names exists, and what must be in it is. */

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const map = read('docs/spec-map.md');
const named = new Set([...map.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name));
const unnamed = (names: Iterable<string>) => [...names].filter((name) => !named.has(name));

test('every place the map names is there', () => {
  const paths = [...named].filter((name) => /^(src|tests|docs|demo|scripts)\//.test(name));
  expect(paths.filter((path) => path.startsWith('src/')).length).toBeGreaterThan(150);
  expect(paths.filter((path) => path.startsWith('tests/')).length).toBeGreaterThan(80);
  expect(paths.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
});

/** The tests a piece of the map quotes: a file, and words of a test's name in it. */
function quotedIn(text: string): { path: string; words: string }[] {
  const quotes = text.matchAll(/`(tests\/[^`\n]+)` › (.+?) *(?=·|\||\(|\n|\.$|$)/g);
  return [...quotes].map(([, path = '', words = '']) => ({ path, words }));
}

test('every test the map quotes is in its file', () => {
  const quoted = quotedIn(map);
  expect(quoted.length).toBeGreaterThan(300);
  const missing = quoted.filter(({ path, words }) => !isName(read(path), words));
  expect(missing.map(({ path, words }) => `${path} › ${words}`)).toEqual([]);
});

const escaped = (words: string) => words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Do the words stand in one of the file's strings, as the names of tests do? */
function isName(file: string, words: string): boolean {
  return new RegExp(`['\`][^\n]*${escaped(words)}[^\n]*['\`]`).test(file);
}

test('every constant, refusal, sentence and page has its place in the map', () => {
  expect(unnamed(Object.keys(limits))).toEqual([]);
  expect(unnamed(Object.keys(errorSentences))).toEqual([]);
  expect(unnamed(Object.keys(experienceTexts))).toEqual([]);
  expect(unnamed(PAGES)).toEqual([]);
});

test('every table and column has its place in the map', () => {
  const columns = [
    ...read('src/server/db/tables.ts').matchAll(/\b(\w+): (?:string|number|boolean|Generated)\b/g),
  ];
  expect(columns.length).toBeGreaterThan(100);
  expect(unnamed(new Set(columns.map(([, column = '']) => column)))).toEqual([]);
  const tables = /type Tables = \{(.+?)\}/s.exec(read('src/server/db/tables.ts'))?.[1] ?? '';
  expect(unnamed([...tables.matchAll(/(\w+):/g)].map(([, table = '']) => table))).toEqual([]);
});

test('every sentence of the refusals and of the experience is in the map, word for word', () => {
  const fixed = [...Object.values(errorSentences), ...Object.values(experienceTexts)].filter(
    (text) => typeof text === 'string',
  );
  const known = fixed.filter((text) => !text.includes('{'));
  expect(known.length).toBeGreaterThan(60);
  expect(known.filter((text) => !map.includes(`'${text}'`))).toEqual([]);
});

/** The rows of the map from one heading to the next: each with sentences, where they stand, and the tests that show them. */
function rowsBetween(heading: string, next: string) {
  const part = map.slice(map.indexOf(heading), map.indexOf(next));
  return part
    .split('\n')
    .filter((line) => line.startsWith("| '"))
    .map((line) => {
      const [said = '', where = '', shown = ''] = line.slice(2, -2).split(' | ');
      // An apostrophe inside a word ends no sentence.
      const sentences = [...said.matchAll(/'(.+?)'(?![\p{L}])/gu)].map(([, sentence = '']) => sentence);
      return { sentences, where, tests: quotedIn(shown) };
    });
}

test('every sentence of hers stands in a test that says it', () => {
  const rows = rowsBetween('### The visitor’s', '### The administrator’s');
  const said = rows.flatMap(({ sentences, tests }) => sentences.map((sentence) => ({ sentence, tests })));
  expect(said.length).toBeGreaterThan(15);
  const unsaid = said.filter(({ sentence, tests }) => !tests.some(({ path }) => says(read(path), sentence)));
  expect(unsaid.map(({ sentence }) => sentence)).toEqual([]);
});

test('every sentence the administrator reads stands in the texts, and in a test that says it, too', () => {
  const rows = rowsBetween('### The administrator’s', 'Those the specification doesn’t have');
  expect(rows.flatMap(({ sentences }) => sentences).length).toBeGreaterThan(80);
  const lacking = rows.flatMap(({ sentences, where, tests }) => {
    const texts = [...where.matchAll(/`(src\/texts\/[^`]+)`/g)].map(([, path = '']) => read(path));
    const specs = tests.map(({ path }) => read(path));
    return sentences.flatMap((sentence) => [
      ...(texts.length > 0 && texts.every((text) => says(text, sentence)) ? [] : [`${sentence}: ${where}`]),
      ...(specs.some((spec) => says(spec, sentence)) ? [] : [`${sentence}: no test`]),
    ]);
  });
  expect(lacking).toEqual([]);
});

/** Does a string, a pattern or a word of a list of the file begin with the sentence, its blanks filled, and end with it? */
function says(file: string, sentence: string): boolean {
  const filled = sentence.split(/\{\w+\}/).map(escaped);
  return new RegExp(`['"\`/^]${filled.join('[^\n]+')}['"\`/$]`).test(file);
}

/** The names the texts give to what is told: that something worked, failed, lacks or is asked. */
const TOLD =
  /^(saved|failed|missing|blank|outOfRange|required|created|copied|exported|uploaded|selected|removed|added|edited|undone|reordered|extended|revoked|restored|question|changedElsewhere)$|(Failed|Saved|Required|Copied|Added)$|^(cancel|remove|revoke)Question$|^signed(In|Up|Out)$/;
/** Words of the same names that are no notices. */
const WORDS = new Set(['(vuoto)', 'Manca', 'Non salvata', 'Non salvato', 'Salvato']);

function toldBy(texts: unknown, key = ''): string[] {
  if (typeof texts === 'string') return TOLD.test(key) && !WORDS.has(texts) ? [texts] : [];
  if (typeof texts !== 'object' || texts === null) return [];
  // Numbers are trips: what is told of each is told under the name above them.
  return Object.entries(texts).flatMap(([name, text]) => toldBy(text, /^\d+$/.test(name) ? key : name));
}

test('every notice the administrator’s texts know is in the map, word for word', async () => {
  const folder = resolve(root, 'src/texts/admin');
  const modules = await Promise.all(
    readdirSync(folder).map((file): Promise<object> => import(/* @vite-ignore */ resolve(folder, file))),
  );
  const told = new Set([...modules, { rehearsalTexts }].flatMap((texts) => toldBy(texts)));
  expect(told.size).toBeGreaterThan(80);
  expect([...told].filter((text) => !map.includes(`'${text}'`))).toEqual([]);
});
