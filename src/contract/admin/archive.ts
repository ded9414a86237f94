import { z } from 'zod';
import { PASSPHRASE_LENGTH } from '../../domain/limits.ts';
import { eachOf } from '../../domain/records.ts';
import { adminCall, call, errorMap } from '../errors.ts';

const count = z.int();
/** Coarse upper bound; the passphrase rule counts the characters exactly. */
const passphrase = z.string().max(PASSPHRASE_LENGTH.max * 2);

/** Download of an archive of all data (decision 020). */
export const archive = {
  look: adminCall('GET', '/admin/archive', 'What an archive would hold').output(
    z.strictObject({
      files: count,
      /** Total size of all files in bytes; about the size of the archive. */
      bytes: count,
      /** Time of the last complete download; null if there was none. */
      last_at: z.string().nullable(),
    }),
  ),
  prepare: adminCall('POST', '/admin/archive', 'Where an archive sealed so can be downloaded, for a minute')
    .input(z.strictObject({ passphrase }))
    .output(z.strictObject({ path: z.string() }))
    .errors(errorMap('PASSPHRASE_SHORT', 'PASSPHRASE_LONG')),
};

const NEW_INSTALL = ['REGISTRATION_CLOSED', 'INSTALL_IN_USE'] as const;

/** Restore of an archive into a new install: announced, uploaded (`PUT /admin/restore/{id}`), carried out. */
export const restore = {
  begin: call('POST', '/admin/restore', 'Announces an archive to a new install')
    .input(z.strictObject({ size: z.int().min(1), setup_code: z.string().max(1_000).optional() }))
    .output(z.strictObject({ id: z.string() }))
    .errors(
      errorMap(...NEW_INSTALL, 'SETUP_CODE_WRONG', 'TOO_MANY_ATTEMPTS', 'ARCHIVE_TOO_LARGE', 'STORAGE_FULL'),
    ),
  carryOut: call(
    'POST',
    '/admin/restore/{id}',
    'Makes a new install what the archive holds that was sent under this id',
  )
    .input(z.strictObject({ id: z.string(), passphrase: z.string().max(1_024) }))
    .output(
      z.strictObject({
        /** Creation time of the archive. */
        created_at: z.string(),
        files: count,
        /** Names of files that were already missing at its creation. */
        missing: z.array(z.string()),
      }),
    )
    .errors(
      errorMap(
        ...NEW_INSTALL,
        'RESTORE_BUSY',
        'ARCHIVE_GONE',
        'ARCHIVE_FOREIGN',
        'ARCHIVE_DAMAGED',
        'ARCHIVE_NEWER',
        'ARCHIVE_LOCKED',
        'PASSPHRASE_WRONG',
        'STORAGE_FULL',
      ),
    ),
};

/** Parts that the administrator may keep when the evening is erased (decision 066); everything else is deleted. */
export const ERASE_PARTS = ['codes', 'configuration', 'account'] as const;
export type ErasePart = (typeof ERASE_PARTS)[number];

/** True for each part that stays. */
export type Keep = Readonly<Record<ErasePart, boolean>>;

/** Word to type before anything is erased. */
export const ERASE_WORD = 'CANCELLA';

const erasableSchema = z.strictObject({
  visits: count,
  /** Visits under way; they end immediately. */
  living: count,
  answers: count,
  /** Replies written on keepsakes. */
  replies: count,
  codes: count,
  /** Rows of events and accesses. */
  events: count,
  files: count,
  /** Total size of all files. */
  bytes: count,
  /** Backups from before an upgrade, stored next to the data. They are not erased and contain the data of that time. */
  backups: count,
});
export type Erasable = z.infer<typeof erasableSchema>;

const keepSchema = z.strictObject(eachOf(ERASE_PARTS, () => z.boolean()));

/** «Cancella la serata» (decision 066). */
export const erase = {
  look: adminCall('GET', '/admin/erase', 'What there is to be erased').output(erasableSchema),
  carryOut: adminCall('POST', '/admin/erase', 'Erases the evening, but for what is kept')
    .input(
      z.strictObject({
        keep: keepSchema,
        /** Typed by hand, to prevent accidents. */
        word: z.literal(ERASE_WORD),
      }),
    )
    .output(z.strictObject({ erased: z.literal(true) })),
};
