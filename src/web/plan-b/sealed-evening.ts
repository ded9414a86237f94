import { type Configuration, fieldsOf } from '../../domain/configuration.ts';
import type { Snapshot, Viaggio } from '../../domain/content.ts';
import { MEDIA_SLOTS, TICKET_SLOTS } from '../../domain/media.ts';
import { eachOf } from '../../domain/records.ts';
import { deriveCodeKey } from '../../sealed/code-key.ts';
import { unwrapKey } from '../../sealed/code-locks.ts';
import { type Manifest, ticketsName } from '../../sealed/content.ts';
import { readHeader } from '../../sealed/layout.ts';
import { openEvening, type Sealed } from '../../sealed/open.ts';

/** `whole` is false if a part of the file is missing. */
export type SealedEvening = { whole: false } | ({ whole: true; header: Uint8Array } & Sealed);

/** A decrypted evening. */
export type OpenEvening = {
  manifest: Manifest;
  /** Its URLs are blob URLs of this page. */
  snapshot: Snapshot;
  /** Returns the URL of a trip's tickets. */
  tickets: (viaggio: Viaggio) => string;
};

/**
 * Returns the evening's key for this code, or null if the code is wrong.
 * @param code normalised
 */
export async function tryCode(
  evening: Extract<SealedEvening, { whole: true }>,
  code: string,
): Promise<Uint8Array | null> {
  return unwrapKey(readHeader(evening.header), code, deriveCodeKey);
}

/** Decrypts the evening. Rejects if a segment is damaged. */
export async function open(evening: Sealed, key: Uint8Array): Promise<OpenEvening> {
  const { manifest, files } = await openEvening(key, evening, {
    whole: (parts, type) => new Blob(parts.map(buffered), { type }),
    join: (parts, type) => new Blob(parts, { type }),
  });
  const addresses = new Map([...files].map(([name, file]) => [name, URL.createObjectURL(file)]));
  const tickets = (viaggio: Viaggio) => addresses.get(ticketsName(viaggio)) ?? '';
  return { manifest, snapshot: withPageUrls(manifest.snapshot, addresses, tickets), tickets };
}

const buffered = (bytes: Uint8Array) => new Uint8Array(bytes);

/** Replaces the URLs by the page's own. A file that is missing here was missing when the evening was sealed. */
function withPageUrls(
  { config, poster_url, captions, ...rest }: Snapshot,
  addresses: ReadonlyMap<string, string>,
  tickets: OpenEvening['tickets'],
): Snapshot {
  const at = (url: string | null) => (url === null ? null : (addresses.get(url) ?? null));
  const captions_url = at(captions?.url ?? null);
  // Files sealed before tickets were rendered have no pages.
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
      ...ticketUrls(config, tickets),
    },
  };
}

/** Tickets have separate URLs: they are always PDFs, in contrast to the uploaded files. */
function ticketUrls(config: Configuration, tickets: OpenEvening['tickets']): Partial<Configuration> {
  const fields = TICKET_SLOTS.map((slot) => {
    const { field, viaggio } = MEDIA_SLOTS[slot];
    return [field, config[field] && tickets(viaggio)] as const;
  });
  return Object.fromEntries(fields);
}
