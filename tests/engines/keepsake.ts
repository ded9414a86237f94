import { oneTrip, words } from '../e2e/support/surprises.ts';
import type { Engine } from './support/engine.ts';
import { test } from './support/evening.ts';
import {
  answer,
  closeTickets,
  downloadTickets,
  enter,
  holds,
  pass,
  press,
  sees,
  tap,
  walkToCard,
} from './support/steps.ts';

/** A finished evening, looked at again on the device that finished it (decision 064): its cookie, its film with the engine's own controls, its tickets. */
export function keepsake(engine: Engine): void {
  test('the evening is kept', async ({ prepare, start }) => {
    const evening = await prepare(oneTrip);
    await evening.server.deps.inTransaction((tx) =>
      tx.updateTable('admin_config').set({ keepsake_until: '2100-12-31' }).execute(),
    );
    const code = await evening.code();
    const tab = await start(engine);
    await enter(tab, evening.server.url, code.token);
    await walkToCard(tab);
    await downloadTickets(tab);
    await answer(tab, words.domanda_1, 'Sì');
    await answer(tab, words.domanda_2, 'No');
    await sees(tab, words.closing.misto);
    await pass(tab, 25);
    await sees(tab, 'Tieni questa sera con te');
    // Not by a press: the page that is pressed is gone before it could say so.
    await tab.open(`${evening.server.url}/ricordo`);
    await press(tab, 'the code’s field', '//input');
    await tab.type(code.token);
    await tap(tab, 'Apri');
    await sees(tab, words.post[0]);
    await sees(tab, words.closing.misto);
    await holds(tab, 'the film, under the engine’s own controls', FILM);
    await tap(tab, 'Guarda i biglietti');
    await holds(tab, 'the ticket, drawn', 'document.querySelector("dialog img")?.naturalWidth > 0');
    await closeTickets(tab);
  });
}

const FILM =
  '(() => { const film = document.querySelector("video"); return film?.controls && film.duration > 1; })()';
