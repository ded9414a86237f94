import { readFile } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';

/** Open live streams by kind of client. */
export type Open = { visitor: number; administrator: number };

type GaugeSource = Pick<Deps, 'live' | 'mediaWorker' | 'uploads'> & {
  /** Returns them for each listener of this process. */
  open(): Open[];
};

/** Registers gauges of this process, read at each scrape. */
export function registerGauges(
  register: Registry,
  { live, mediaWorker, uploads: { jobs }, open }: GaugeSource,
): void {
  const gauge = (name: string, help: string, value: () => number | Promise<number>) =>
    new Gauge({
      name: `sorpresa_${name}`,
      help,
      registers: [register],
      async collect() {
        this.set(await value());
      },
    });
  keepConnections(register, open);
  gauge(
    'live_own_word_heard',
    '1 while this node hears what it says on the live bus; a deaf one hears no other.',
    () => Number(live.isReceiving()),
  );
  gauge('uploads_in_work', 'Uploads that are checked and made fit, or wait for their turn.', () =>
    jobs.count(),
  );
  gauge('media_worker_running', '1 while there is a media worker.', () => Number(mediaWorker.pid() !== null));
  if (process.platform === 'linux')
    gauge(
      'media_worker_resident_bytes',
      'Memory of the media worker, without programs that it starts; 0 without one.',
      () => residentBytes(mediaWorker.pid()),
    );
}

function keepConnections(register: Registry, open: GaugeSource['open']): Gauge {
  return new Gauge({
    name: 'sorpresa_live_connections',
    help: 'Open live streams of this node, by whose they are.',
    labelNames: ['who'],
    registers: [register],
    collect() {
      const all = open();
      for (const who of ['visitor', 'administrator'] as const)
        this.set(
          { who },
          all.reduce((sum, each) => sum + each[who], 0),
        );
    },
  });
}

/** Returns the resident memory of a process in bytes; 0 if it has ended. */
async function residentBytes(pid: number | null): Promise<number> {
  const status = pid === null ? '' : await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
