import { z } from 'zod';
import { decryptOrNull, encrypt } from '../../auth/secrets.ts';

/* Tickets that the client carries between requests, encrypted with the install's key, so that any node can answer. */

const sealed = <S extends z.ZodRawShape>(use: string, shape: S) =>
  z.strictObject({ use: z.literal(use), ends: z.number(), ...shape });

const download = sealed('download', { passphrase: z.string() });
const incoming = sealed('incoming', { key: z.string() });

const read = <T extends { ends: number }>(
  schema: z.ZodType<T>,
  secret: Buffer,
  ticket: string,
  now: Date,
) => {
  const text = decryptOrNull(secret, ticket);
  const result = schema.safeParse(text === null ? null : JSON.parse(text));
  return result.success && result.data.ends > now.getTime() ? result.data : null;
};

/** Returns a ticket for a download. Only this install can read the passphrase in it. */
export const downloadTicket = (secret: Buffer, passphrase: string, ends: Date): string =>
  encrypt(secret, JSON.stringify({ use: 'download', ends: ends.getTime(), passphrase }));

/** Returns the passphrase in a download ticket, or null if the ticket is invalid or expired. */
export const readDownloadTicket = (secret: Buffer, ticket: string, now: Date): string | null =>
  read(download, secret, ticket, now)?.passphrase ?? null;

/** Returns a ticket for an upload of an archive. */
export const uploadTicket = (secret: Buffer, key: string, ends: Date): string =>
  encrypt(secret, JSON.stringify({ use: 'incoming', ends: ends.getTime(), key }));

/** Returns the storage key in an upload ticket, or null if the ticket is invalid or expired. */
export const readUploadTicket = (secret: Buffer, ticket: string, now: Date): string | null =>
  read(incoming, secret, ticket, now)?.key ?? null;
