import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReadyEvening, readyEvening } from '../support/ready-evening.ts';
import { FAULTS } from '../support/ready-faults.ts';

/** «Pronta?» turns red for each of these, and back when it is mended. */

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
