/**
 * Reason for rejecting an archive: not an archive (`foreign`), altered (`damaged`), written by a newer version
 * (`newer`), encrypted and no passphrase was sent (`locked`), or the wrong one (`passphrase`).
 */
export type ArchiveFault = 'foreign' | 'damaged' | 'newer' | 'locked' | 'passphrase';

export class ArchiveRejected extends Error {
  override name = 'ArchiveRejected';
  readonly reason: ArchiveFault;
  constructor(reason: ArchiveFault, message: string) {
    super(message);
    this.reason = reason;
  }
}
