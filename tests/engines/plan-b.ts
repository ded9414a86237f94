import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { oneTrip, words } from '../e2e/support/surprises.ts';
import { planBFile, sealEvening } from '../support/plan-b.ts';
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

/** A code costs 64 MiB four times over, on a machine that has other things to do. */
const CODE_TRIED_MS = 90_000;

/** The evening without the site, opened out of a folder, with its server stopped. */
export function planB(engine: Engine): void {
  test('the sealed evening in a file', async ({ prepare, start }) => {
    const evening = await prepare(oneTrip);
    const code = await evening.code();
    const asking = { url: evening.server.url, cookie: evening.server.session };
    await sealEvening(asking);
    const folder = await mkdtemp(join(tmpdir(), 'sorpresa-plan-b-'));
    try {
      const path = join(folder, 'piano-b.html');
      await writeFile(path, await withKit(String(await planBFile(asking))));
      await evening.server.stop();
      const tab = await start(engine);
      await enter(tab, pathToFileURL(path).href, 'ROM-AAAA2222');
      await sees(tab, 'Codice non valido', CODE_TRIED_MS);
      await tab.reload();
      await press(tab, 'the code’s field', '//input[@placeholder="Il tuo codice"]');
      await tab.type(code.token);
      await tap(tab, 'Scopri la Sorpresa');
      await sees(tab, words.pre[0], CODE_TRIED_MS);
      await walkToCard(tab);
      await tap(tab, 'Guarda i biglietti');
      await holds(tab, 'the ticket, drawn', 'document.querySelector("dialog img")?.naturalWidth > 0');
      await closeTickets(tab);
      await downloadTickets(tab);
      await answer(tab, words.domanda_1, 'Sì');
      await answer(tab, words.domanda_2, 'No');
      await sees(tab, words.closing.misto);
      await pass(tab, 25);
      await sees(tab, 'La serata è finita');
      await sees(tab, `${words.domanda_1} Sì`);
      await sees(tab, `${words.domanda_2} No`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** The tests' kit in the page itself, and in its policy: the file asks nobody for a script. */
async function withKit(html: string): Promise<string> {
  const kit = (await readFile(join(inject('webRoots').clock, 'kit.js'), 'utf8')).replaceAll(
    '</script',
    '<\\/script',
  );
  const hash = createHash('sha256').update(kit).digest('base64');
  return html
    .replace('<script src="/kit.js" data-clock></script>', '')
    .replace("script-src 'sha256-", `script-src 'sha256-${hash}' 'sha256-`)
    .replace('<title>', () => `<script data-clock>${kit}</script><title>`);
}
