import { expect, test } from 'vitest';
import { connectionsFor, memoryGiven, streamsFor } from '../../src/server/capacity.ts';

const MB = 1024 ** 2;

test('streams follow the memory, between 2,000 and 20,000, and every one has a place among the connections', () => {
  expect([256, 512, 1_024, 2_048, 8_192].map((size) => streamsFor(size * MB))).toEqual([
    2_000, 3_855, 7_710, 15_420, 20_000,
  ]);
  for (const size of [64, 1_024, 65_536])
    expect(connectionsFor(size * MB)).toBeGreaterThan(streamsFor(size * MB));
});

test('the memory that is given is no more than there is', () => {
  expect(memoryGiven()).toBeGreaterThan(64 * MB);
  expect(memoryGiven()).toBeLessThan(2 ** 50);
});
