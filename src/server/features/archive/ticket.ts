import { z } from 'zod';
import { decryptOrNull, encrypt } from '../../auth/secrets.ts';

/*
 * What a later request has to know of an earlier one is carried by the client, under the install's seal: so any process of the installation can answer it.
 */

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
  const told = schema.safeParse(text === null ? null : JSON.parse(text));
  return told.success && told.data.ends > now.getTime() ? told.data : null;
};

/** For a download that has still to begin. Nobody but the install can read the passphrase in it. */
export const downloadTicket = (secret: Buffer, passphrase: string, ends: Date): string =>
  encrypt(secret, JSON.stringify({ use: 'download', ends: ends.getTime(), passphrase }));

/** The passphrase in a ticket for a download, or null where it is none or over. */
export const readDownloadTicket = (secret: Buffer, ticket: string, now: Date): string | null =>
  read(download, secret, ticket, now)?.passphrase ?? null;

/** For an archive that is on its way in. */
export const uploadTicket = (secret: Buffer, key: string, ends: Date): string =>
  encrypt(secret, JSON.stringify({ use: 'incoming', ends: ends.getTime(), key }));

/** Under which key it is kept, or null where the ticket is none or over. */
export const readUploadTicket = (secret: Buffer, ticket: string, now: Date): string | null =>
  read(incoming, secret, ticket, now)?.key ?? null;
