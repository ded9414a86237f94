/** Declares the module, which has no types. */
declare module 'subset-font' {
  /** Reduces a font to the letters of a text. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: 'truetype' | 'woff2'; noLayoutClosure?: boolean },
  ): Promise<Buffer>;
}
