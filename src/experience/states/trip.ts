import { AFTER_DOWNLOAD_MS } from '../../domain/limits.ts';
import { chart } from '../chart.ts';
import { stageNow, type VisitContext } from '../context.ts';
import { metaOf } from './meta.ts';

/** The destination picture, for its seconds. */
export const destination = chart.createStateConfig({
  meta: metaOf('destination'),
  entry: ['tuneSong', 'report'],
  invoke: {
    src: 'visibleTimer',
    input: ({ context }) => ({ ms: pictureMs(context), hidden: context.hidden, now: context.ports.now }),
    onDone: { target: 'choosing', actions: 'nextStep' },
  },
});

/** The trip card. The first tap on the download moves on 1.5 s later; the button stays usable meanwhile (spec 4.6). */
export const card = chart.createStateConfig({
  meta: metaOf('card'),
  entry: ['tuneSong', 'report'],
  initial: 'open',
  on: {
    DOWNLOAD: { guard: 'hasTickets', actions: { type: 'notify', params: { kind: 'download_started' } } },
    VIEW: {},
    CONTINUE: { guard: 'hasNoTickets', target: 'choosing', actions: 'nextStep' },
  },
  states: {
    open: {
      on: {
        DOWNLOAD: {
          guard: 'hasTickets',
          target: 'downloaded',
          actions: [{ type: 'notify', params: { kind: 'download_started' } }, 'reportNext'],
        },
      },
    },
    downloaded: {
      tags: 'downloaded',
      invoke: {
        src: 'visibleTimer',
        input: ({ context }) => ({ ms: AFTER_DOWNLOAD_MS, hidden: context.hidden, now: context.ports.now }),
        onDone: { target: '#choosing', actions: 'nextStep' },
      },
    },
  },
});

function pictureMs(context: VisitContext): number {
  const content = stageNow(context);
  return content?.stage === 'destination' ? content.durata_immagine_destinazione_secondi * 1_000 : 0;
}
