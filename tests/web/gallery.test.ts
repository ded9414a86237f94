import { expect, test } from 'vitest';
import { itinerary, STAGES } from '../../src/domain/itinerary.ts';
import { visitAt } from '../../src/web/dev/evening.tsx';
import { oneTrip, twoTrips } from '../../src/web/dev/sample.ts';
import { findScene, GROUPS } from '../../src/web/dev/scenes.tsx';

/** The gallery of scenes (`npm run dev`, `/dev/scene`). What it shows are the real screens; here, that it finds what it names. */

const ids = GROUPS.flatMap(({ name, scenes }) => scenes.map((scene) => `${name}/${scene.name}`));

test('every scene has a name of its own, by which it is found', () => {
  expect(ids.length).toBeGreaterThan(60);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(findScene(id), id).toBeDefined();
  expect(findScene('Evening/none')).toBeUndefined();
});

test('the sample has every stage there is, one trip and two', () => {
  const stages = [twoTrips, oneTrip].flatMap(itinerary).map(({ stage }) => stage);
  expect([...new Set(stages)].toSorted()).toEqual([...STAGES].toSorted());
});

test('a visit stands where it is put, with what the server hands out there', () => {
  const visit = visitAt({ content: twoTrips, at: { stage: 'card', viaggio: 1 } });
  expect(visit.stages[visit.position.step]).toMatchObject({ stage: 'card', viaggio: 1 });
  expect(visit.stages).toHaveLength(visit.position.step + 2);
  expect(() => visitAt({ content: oneTrip, at: { stage: 'card', viaggio: 2 } })).toThrow(/no card of trip 2/);
});
