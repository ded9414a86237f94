import { expect } from 'vitest';
import { answersOf, sessionsOf, tokenRow } from '../e2e/support/evening.ts';
import { oneTrip, words } from '../e2e/support/surprises.ts';
import type { Engine } from './support/engine.ts';
import { test } from './support/evening.ts';
import { answer, downloadTickets, enter, sees, until, walkToCard } from './support/steps.ts';

/** One trip in real time: everything that is waited for is waited for. */
export function oneTripInRealTime(engine: Engine): void {
  test('one trip in real time', async ({ prepare, start }) => {
    const evening = await prepare(oneTrip, 'realTime');
    const code = await evening.code();
    const tab = await start(engine, { moves: true });
    await enter(tab, evening.server.url, code.token);
    await walkToCard(tab);
    await downloadTickets(tab);
    await answer(tab, words.domanda_1, 'Sì');
    await answer(tab, words.domanda_2, 'No');
    await sees(tab, words.closing.misto);
    await until(tab, 'the way back', () => tab.read<boolean>('location.pathname === "/"'));
    await sees(tab, 'Una Sorpresa per Te');
    expect(await answersOf(evening)).toEqual([{ viaggio: 1, risposta_1: true, risposta_2: false }]);
    expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
    expect(await sessionsOf(evening, code)).toMatchObject([{ is_active: false }]);
  });
}
