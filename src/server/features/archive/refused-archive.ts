import type { ErrorCode } from '../../../contract/errors.ts';

/** Code of a rejected archive: no archive, altered, written by a newer version, encrypted but no passphrase sent, or the wrong one. */
export type ArchiveFault = Extract<
  ErrorCode,
  'ARCHIVE_FOREIGN' | 'ARCHIVE_DAMAGED' | 'ARCHIVE_NEWER' | 'ARCHIVE_LOCKED' | 'PASSPHRASE_WRONG'
>;

/** Stops the unpacking, where a stream must be torn down. */
export class ArchiveRejected extends Error {
  override name = 'ArchiveRejected';
  readonly reason: ArchiveFault;
  constructor(reason: ArchiveFault, message: string) {
    super(message);
    this.reason = reason;
  }
}
