/** Throws unless the tests run as root: only root can play somebody else. */
export function needRoot(): void {
  if (process.getuid?.() !== 0) throw new Error('Run this test as root: it plays another user.');
}
