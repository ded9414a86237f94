import { type Configuration, fieldsOf } from '../../domain/configuration.ts';
import type { Snapshot, Viaggio } from '../../domain/content.ts';
import { MEDIA_SLOTS, TICKET_SLOTS } from '../../domain/media-slots.ts';
import { eachOf } from '../../domain/records.ts';
import { keyOfCode } from '../../sealed/code-key.ts';
import { unwrapKey } from '../../sealed/code-locks.ts';
import { type Manifest, ticketsName } from '../../sealed/content.ts';
import { readHeader } from '../../sealed/layout.ts';
import { openEvening, type Sealed } from '../../sealed/open.ts';

/** `whole`: false where a part of it didn't arrive. */
export type SealedEvening = { whole: false } | ({ whole: true; header: Uint8Array } & Sealed);

/** An evening that was opened. */
export type OpenEvening = {
  manifest: Manifest;
  /** Its addresses are the page's own, of what lies in its memory. */
  snapshot: Snapshot;
  /** Where a trip's tickets are to be had. */
  tickets: (viaggio: Viaggio) => string;
};

/** The key that a code opens; null where it opens nothing. @param code normalised */
export async function tryCode(
  evening: Extract<SealedEvening, { whole: true }>,
  code: string,
): Promise<Uint8Array | null> {
  return unwrapKey(readHeader(evening.header), code, keyOfCode);
}

/** Opens it. A piece that was damaged rejects. */
export async function open(evening: Sealed, key: Uint8Array): Promise<OpenEvening> {
  const { manifest, files } = await openEvening(key, evening, {
    whole: (parts, type) => new Blob(parts.map(buffered), { type }),
    join: (parts, type) => new Blob(parts, { type }),
  });
  const addresses = new Map([...files].map(([name, file]) => [name, URL.createObjectURL(file)]));
  const tickets = (viaggio: Viaggio) => addresses.get(ticketsName(viaggio)) ?? '';
  return { manifest, snapshot: inPage(manifest.snapshot, addresses, tickets), tickets };
}

const buffered = (bytes: Uint8Array) => new Uint8Array(bytes);

/** The evening with the page's own addresses; a file that isn't there was missing when it was sealed. */
function inPage(
  { config, poster_url, captions, ...rest }: Snapshot,
  addresses: ReadonlyMap<string, string>,
  tickets: OpenEvening['tickets'],
): Snapshot {
  const at = (url: string | null) => (url === null ? null : (addresses.get(url) ?? null));
  const captions_url = at(captions?.url ?? null);
  // A file that was sealed before tickets were drawn has no pages.
  const pagesAt = (urls: string[] | null | undefined) => urls?.flatMap((url) => at(url) ?? []) ?? null;
  return {
    ...rest,
    poster_url: at(poster_url),
    ticket_pages: pagesAt(rest.ticket_pages),
    ticket_pages_2: pagesAt(rest.ticket_pages_2),
    captions: captions === null || captions_url === null ? null : { ...captions, url: captions_url },
    config: {
      ...config,
      ...eachOf(fieldsOf('file'), (field) => at(config[field])),
      ...ticketsIn(config, tickets),
    },
  };
}

/** Tickets have addresses of their own: they come as a PDF whatever they were. */
function ticketsIn(config: Configuration, tickets: OpenEvening['tickets']): Partial<Configuration> {
  const fields = TICKET_SLOTS.map((slot) => {
    const { field, viaggio } = MEDIA_SLOTS[slot];
    return [field, config[field] && tickets(viaggio)] as const;
  });
  return Object.fromEntries(fields);
}
