/** Comes without types of its own. */
declare module 'subset-font' {
  /** Cuts a font to the letters of a text. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: 'truetype' | 'woff2'; noLayoutClosure?: boolean },
  ): Promise<Buffer>;
}
