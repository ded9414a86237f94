import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCleanup } from './harness/rounds.ts';
import { type Bench, emptyTable, inTime, messageOf, type Sizes, type Suite } from './harness/suite.ts';
import { pageOf, type Ratios, ratiosOf, sectionOf, worseThan } from './page.ts';
import { converting } from './suites/converting.ts';
import { live } from './suites/live.ts';
import { media } from './suites/media.ts';
import { postgres } from './suites/postgres.ts';
import { rows } from './suites/rows.ts';
import { server } from './suites/server.ts';
import { upload } from './suites/upload.ts';

/** In the order of the page. */
const PARTS: readonly Suite[] = [server, postgres, media, live, rows, upload, converting];
const FULL: Sizes = {
  rounds: 3,
  requests: 2_000,
  ranges: 2_000,
  visitors: [100, 1_000, 5_000, 10_000],
  deaf: [200, 1_000],
  newcomers: 100,
  rows: [1_000, 1_000_000],
  uploadBytes: 1e9,
};
const QUICK: Sizes = {
  rounds: 1,
  requests: 200,
  ranges: 40,
  visitors: [50],
  deaf: [10, 50],
  newcomers: 20,
  rows: [100, 1_000],
  uploadBytes: 5e7,
};
/** Time limits in ms of the complete run and of one suite. A slow machine measures less, and the page reports it. */
const LIMIT_MS = { all: 24 * 60_000, part: 8 * 60_000 };
const PAGE = join(import.meta.dirname, '../../bench.md');
/** Ratios of the last accepted run. */
const KEPT = join(import.meta.dirname, 'ratios.json');

/** Runs a suite to its end or time limit; returns its section of the page, and whether all of it was measured. */
async function section(part: Suite, sizes: Sizes, ms: number) {
  console.log(part.heading);
  const [table, ends, load] = [emptyTable(), createCleanup(), loadavg()[0] ?? 0];
  const bench: Bench = { sizes, table, ends };
  try {
    if (ms <= 0) throw new Error('there was no time left for it');
    await inTime(part.run(bench), ms);
  } catch (error) {
    console.error(error);
    table.failures.push(`The part was not measured to its end: ${messageOf(error)}`);
  } finally {
    await ends.all();
  }
  const text = sectionOf(part, table, {
    rounds: sizes.rounds,
    load: [load, loadavg()[0] ?? 0],
    at: new Date(),
  });
  return { heading: part.heading, text, ratios: ratiosOf(part, table), failed: table.failures.length > 0 };
}

function parseArguments() {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    options: { quick: flag, check: flag, keep: flag, only: { type: 'string' } },
  });
  const names = values.only?.split(',') ?? PARTS.map(({ name }) => name);
  const unknown = names.filter((name) => !PARTS.some((part) => part.name === name));
  if (unknown.length > 0)
    throw new Error(`--only takes ${PARTS.map(({ name }) => name).join(', ')}, not ${unknown.join(', ')}`);
  if (values.keep && values.quick)
    throw new Error('--keep stores the ratios of a complete run, not of --quick');
  return { ...values, parts: PARTS.filter(({ name }) => names.includes(name)) };
}

const { parts, quick, check, keep } = parseArguments();
const kept: Ratios = JSON.parse(readFileSync(KEPT, 'utf8'));
const measured: Ratios = {};
const until = performance.now() + LIMIT_MS.all;
const order = PARTS.map(({ heading }) => heading);
for (const part of parts) {
  const ms = Math.min(LIMIT_MS.part, until - performance.now());
  const done = await section(part, quick ? QUICK : FULL, ms);
  if (done.failed) process.exitCode = 1;
  Object.assign(measured, done.ratios);
  if (quick) console.log(done.text);
  // Written after each suite, so that a later failure loses nothing.
  else writeFileSync(PAGE, pageOf(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '', done, order));
}
if (keep) writeFileSync(KEPT, `${JSON.stringify({ ...kept, ...measured }, null, 2)}\n`);
if (check) {
  const worse = worseThan(kept, measured);
  console.log(
    [
      '',
      `${worse.length} of ${Object.keys(measured).length} ratios are worse by a fifth or more than kept.`,
      ...worse,
    ].join('\n'),
  );
}
// Abandoned measurements may still hold the process open.
process.exit();
