/** Decodes a captions file: UTF-16 if it has a byte order mark or zero bytes, UTF-8 if valid, otherwise Windows-1252. */
export function decoded(bytes: ArrayBuffer): string {
  const encoding = utf16In(new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 512)));
  if (encoding !== null) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function utf16In(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first = 0, second = 0] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zeros = (odd: number) => head.filter((byte, index) => byte === 0 && index % 2 === odd).length;
  const maxZeros = head.length / 4;
  if (zeros(1) > maxZeros && zeros(0) === 0) return 'utf-16le';
  return zeros(0) > maxZeros && zeros(1) === 0 ? 'utf-16be' : null;
}
