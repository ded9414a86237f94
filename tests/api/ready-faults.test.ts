import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reasonTexts } from '../../src/texts/admin/ready.ts';
import { type ReadyEvening, readyEvening } from '../support/ready-evening.ts';
import { FAULTS } from '../support/ready-faults.ts';

/** «Pronta?» turns red for each of these, and back when it is mended; docs/pronta.md lists them with their words. */

let evening: ReadyEvening;
beforeAll(async () => {
  evening = await readyEvening();
});
afterAll(() => evening.end());

const ids = ({ reasons }: Awaited<ReturnType<ReadyEvening['ask']>>, level: string) =>
  reasons.flatMap((reason) => (reason.level === level ? [reason.id] : []));

test('nothing speaks against an evening that is prepared as it should be', async () => {
  expect(await evening.ask()).toMatchObject({ verdict: 'ready', reasons: [] });
});

describe('a fault', () => {
  test.each(FAULTS)('$id: $what', async ({ id, plant }) => {
    const mend = await plant(evening);
    const broken = await evening.ask();
    expect(broken.verdict).toBe('not_ready');
    expect(ids(broken, 'red')).toContain(id);
    await mend();
    const mended = await evening.ask();
    expect(ids(mended, 'red')).toEqual([]);
    expect(mended.verdict).toBe('ready');
  });
});

test('the docs list the faults, each with its words', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/pronta.md'), 'utf8');
  const rows = [...page.matchAll(/^\| \d+ \| `(\w+)` \| (.+) \|$/gm)].map(([, id, words]) => [id, words]);
  const known = [...new Set(FAULTS.map(({ id }) => id))].map((id) => [id, reasonTexts[id]]);
  expect(rows.toSorted()).toEqual(known.toSorted());
  expect(rows.length).toBeGreaterThanOrEqual(30);
});
