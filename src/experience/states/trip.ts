import { AFTER_DOWNLOAD_MS } from '../../domain/limits.ts';
import { chart } from '../chart.ts';
import { pictureMs, stageNow, timed } from '../context.ts';
import { metaOf } from './meta.ts';
import { skip } from './skip.ts';

/** The destination picture, for its seconds. */
export const destination = chart.createStateConfig({
  meta: metaOf('destination'),
  entry: ['tuneSong', 'report'],
  on: { SKIP: skip },
  invoke: {
    src: 'visibleTimer',
    input: ({ context }) => timed(context, pictureMs(stageNow(context))),
    onDone: { target: 'choosing', actions: 'nextStep' },
  },
});

/**
 * The trip card. The first tap on the download continues 1.5 s later, whatever its result; the button stays usable
 * (spec 4). «Continua» continues if there are no tickets, or they were viewed, shared or downloaded.
 */
export const card = chart.createStateConfig({
  meta: metaOf('card'),
  entry: ['tuneSong', 'report'],
  initial: 'open',
  on: {
    SKIP: skip,
    SHARE: { actions: 'noteShare' },
    CONTINUE: { guard: 'mayContinue', target: 'choosing', actions: 'nextStep' },
  },
  states: {
    open: {
      on: {
        DOWNLOAD: { guard: 'hasTickets', target: 'downloaded', actions: 'reportNext' },
      },
    },
    downloaded: {
      tags: 'downloaded',
      on: { CONTINUE: { target: '#choosing', actions: 'nextStep' } },
      invoke: {
        src: 'visibleTimer',
        input: ({ context }) => timed(context, AFTER_DOWNLOAD_MS),
        onDone: { target: '#choosing', actions: 'nextStep' },
      },
    },
  },
});
