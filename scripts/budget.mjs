/**
 * Checks the gzipped size of the pages in the built web (builds it if needed). Exits with 1 if a page exceeds its
 * budget or contains forbidden code.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { signInTexts } from '../src/texts/admin/sign-in.ts';
import { ensureBuilt, root } from './setup.mjs';

/** Bytes; a kB is 1000. */
const BUDGET = {
  accessScripts: 122_000,
  fonts: 100_000,
  hand: 15_000,
  sans: 25_000,
  experienceScripts: 48_000,
  countdownScripts: 1_500,
};
/** Markers of code that must not load before the code is spent. */
const FORBIDDEN = {
  'the administrator’s pages': signInTexts.signIn.toggle,
  zod: 'ZodError',
  'the scenes': 'boarding-pass_',
};

ensureBuilt();
const web = join(root, 'dist', 'web');
const manifest = JSON.parse(readFileSync(join(web, '.vite', 'manifest.json'), 'utf8'));
const EXPERIENCE = 'visitor/experience/page.tsx';
/** Loaded with a valid code before the opening time, when nothing else has to load. */
const COUNTDOWN = 'visitor/access/opening/countdown.tsx';
const OTHERS = [
  EXPERIENCE,
  'pages/not-found.tsx',
  COUNTDOWN,
  'visitor/rehearsal/page.tsx',
  'diagnosis/page.tsx',
  'keepsake/page.tsx',
];

const access = everythingOf('index.html');
const experience = closure([EXPERIENCE]).filter((key) => !access.includes(key));
const countdown = closure([COUNTDOWN]).filter((key) => !access.includes(key));
const problems = [
  ...weigh('Access screen, scripts', access.map(fileOf), BUDGET.accessScripts),
  ...weigh('The visitor’s fonts', fonts(/\.woff2$/), BUDGET.fonts, { compress: false }),
  ...weigh('Of these the sans', fonts(/figtree.*\.woff2$/), BUDGET.sans, { compress: false }),
  ...weigh('Of these the hand', fonts(/hand.*\.woff2$/), BUDGET.hand, { compress: false }),
  ...weigh('Experience adds, scripts', experience.map(fileOf), BUDGET.experienceScripts),
  ...weigh('Countdown adds, scripts', countdown.map(fileOf), BUDGET.countdownScripts),
  ...Object.entries(FORBIDDEN).flatMap(([what, sign]) => carries(what, sign)),
];
weigh('Access screen, styles', stylesOf(access));
weigh('Experience adds, styles', stylesOf(experience));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Returns a page's chunks: its imports and their dynamic imports, without those of the pages after it. */
function everythingOf(entry) {
  const found = closure([entry]);
  for (const key of found) {
    const later = (manifest[key].dynamicImports ?? []).filter((name) => !isAnotherPage(name));
    for (const name of closure(later)) if (!found.includes(name)) found.push(name);
  }
  return found;
}

function isAnotherPage(key) {
  return OTHERS.includes(key) || key.startsWith('admin/');
}

/** Returns chunks with their static imports. */
function closure(keys) {
  const found = [...keys];
  for (const key of found) {
    for (const name of manifest[key].imports ?? []) if (!found.includes(name)) found.push(name);
  }
  return found;
}

function fileOf(key) {
  return manifest[key].file;
}

function stylesOf(keys) {
  return [...new Set(keys.flatMap((key) => manifest[key].css ?? []))];
}

function fonts(pattern) {
  const linked = Object.keys(manifest).flatMap((key) => manifest[key].assets ?? []);
  return [...new Set(linked)].filter((file) => pattern.test(file));
}

function weigh(name, files, budget = Number.POSITIVE_INFINITY, { compress = true } = {}) {
  const contents = files.map((file) => readFileSync(join(web, file)));
  const bytes = contents.reduce((sum, content) => sum + (compress ? gzipSync(content) : content).length, 0);
  const limit = Number.isFinite(budget) ? ` of ${kilobytes(budget)}` : '';
  console.log(`${name}: ${kilobytes(bytes)}${limit}`);
  return bytes <= budget ? [] : [`${name}: ${kilobytes(bytes)} is more than ${kilobytes(budget)}.`];
}

function carries(what, sign) {
  const carrying = access.map(fileOf).filter((file) => readFileSync(join(web, file), 'utf8').includes(sign));
  return carrying.map((file) => `The access screen carries ${what} (${file}).`);
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
