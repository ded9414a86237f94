/** The part of the package that is used here; it has no types of its own. */
declare module 'webvtt-parser' {
  /** A piece of a caption's text, or markup around such pieces. */
  export type WebVTTNode = { type: string; value?: string | number; children?: WebVTTNode[] };
  /** Times in seconds. */
  export type WebVTTCue = { startTime: number; endTime: number; tree: { children: WebVTTNode[] } };
  class WebVTTParser {
    /** @param entities what stands for each of them, by its name with `&` and `;` */
    constructor(entities: Record<string, string>);
    parse(text: string, mode: 'subtitles/captions'): { cues: WebVTTCue[] };
  }
  const module: { WebVTTParser: typeof WebVTTParser };
  export default module;
}
