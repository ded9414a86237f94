import { expect, test } from 'vitest';
import { keepsakeStands } from '../../src/domain/keepsake.ts';

test('a keepsake lasts through the whole of its last day in Italy', () => {
  expect(keepsakeStands('2027-07-01', new Date('2027-06-01T00:00:00Z'))).toBe(true);
  expect(keepsakeStands('2027-07-01', new Date('2027-07-01T21:59:59Z'))).toBe(true);
  expect(keepsakeStands('2027-07-01', new Date('2027-07-01T22:00:00Z'))).toBe(false);
  expect(keepsakeStands('2027-12-01', new Date('2027-12-01T22:59:59Z'))).toBe(true);
  expect(keepsakeStands('2027-12-01', new Date('2027-12-01T23:00:00Z'))).toBe(false);
});

test('there is none where no day was chosen', () => {
  expect(keepsakeStands(null, new Date('2027-06-01T00:00:00Z'))).toBe(false);
});
