/**
 * Why an archive can't be taken: it is none (`foreign`), not as it was written (`damaged`), of a newer version of the product, or sealed with a passphrase that
 * wasn't said (`locked`) or is another one.
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
