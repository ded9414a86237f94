import { expect } from 'vitest';
import { oneTrip } from '../e2e/support/surprises.ts';
import type { Engine } from './support/engine.ts';
import { test } from './support/evening.ts';
import { sees, tap, until } from './support/steps.ts';

type Spot = { x: number; y: number };
/** The middle of the button that begins it. */
const BEGIN = `(() => {
  const box = document.querySelector('main button')?.getBoundingClientRect();
  return box === undefined ? null : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
})()`;

type Phone = { verdict: string; faults: string[]; findings: object };

/** `/diagnostica` in an engine, by real presses and in real time: nothing is wrong with it, and nothing is said to be. */
export function phoneTrial(engine: Engine): void {
  test('a phone is tried', async ({ prepare, start }) => {
    const { admin, server } = await prepare(oneTrip, 'realTime');
    const { pass } = await admin.call<{ pass: string }>('POST', '/admin/diagnosis/pass', {});
    const tab = await start(engine);
    await tab.open(`${server.url}/diagnostica#${pass}`);
    // The page that was pressed is gone before it could say so.
    const { x, y } = await until(tab, 'Comincia', () => tab.read<Spot | null>(BEGIN));
    await tab.tapAt(x, y);
    await sees(tab, 'Ora un breve film');
    await tap(tab, 'Avanti');
    await tap(tab, 'Fai partire il film');
    await sees(tab, 'Senti la musica?');
    await tap(tab, 'Sì');
    await tap(tab, 'Abbassa la musica');
    await tap(tab, 'Sì');
    await sees(tab, 'si sentiva il suono?');
    await tap(tab, 'Sì');
    await sees(tab, 'riempiva lo schermo?');
    await tap(tab, 'Sì');
    await sees(tab, 'c’erano dei pulsanti?');
    await tap(tab, 'No');
    await sees(tab, 'Gira il telefono di lato');
    const { phones } = await admin.call<{ phones: Phone[] }>('GET', '/admin/diagnosis');
    expect(phones).toMatchObject([
      {
        verdict: 'good',
        faults: [],
        findings: { cookies: true, storage: true, film: 'played', song: 'by_itself' },
      },
    ]);
  });
}
