/** Types for the used part of the package, which has none. */
declare module 'webvtt-parser' {
  /** A text node of a caption, or markup around such nodes. */
  export type WebVTTNode = { type: string; value?: string | number; children?: WebVTTNode[] };
  /** Times in seconds. */
  export type WebVTTCue = { startTime: number; endTime: number; tree: { children: WebVTTNode[] } };
  class WebVTTParser {
    /** @param entities replacement of each entity, by its name with `&` and `;` */
    constructor(entities: Record<string, string>);
    parse(text: string, mode: 'subtitles/captions'): { cues: WebVTTCue[] };
  }
  const module: { WebVTTParser: typeof WebVTTParser };
  export default module;
}
