import 'react';

declare module 'react' {
  /** Custom properties that the scenes' style sheets read. */
  interface CSSProperties {
    '--seconds'?: string;
    '--focus'?: string;
    '--delay'?: string;
    '--duration'?: string;
    '--left'?: string;
    '--top'?: string;
    '--size'?: string;
    '--sway'?: string;
    '--start'?: string;
    '--chance'?: string;
    '--journey-high'?: string;
    '--journey-low'?: string;
    '--longest'?: number;
    '--dense'?: string;
    '--at'?: string;
  }
}
