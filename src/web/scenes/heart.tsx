const SHAPE =
  'M12 20.7 10.7 19.5C5.6 14.9 2.5 12.1 2.5 8.5 2.5 5.6 4.8 3.4 7.6 3.4c1.6 0 3.2.8 4.4 2.1 1.2-1.3 2.8-2.1 4.4-2.1 2.8 0 5.1 2.2 5.1 5.1 0 3.6-3.1 6.4-8.2 11L12 20.7Z';

type Props = {
  className?: string | undefined;
  /** Adds a glow. Drawn as strokes, because a filter would be recomputed with every movement. */
  lit?: boolean;
  /** Part of the scene that remains at the end of the evening (visitor/experience/curtain.ts). */
  stays?: boolean;
};

/** A heart in the colour of the surrounding text. */
export function Heart({ className, lit = false, stays }: Props) {
  return (
    <svg
      className={className}
      viewBox="0 0 24 24"
      fill="currentColor"
      overflow="visible"
      aria-hidden="true"
      data-stays={stays}
      data-heart={stays}
    >
      {lit && (
        <g stroke="currentColor" strokeLinejoin="round">
          <path d={SHAPE} strokeWidth="16" opacity="0.05" />
          <path d={SHAPE} strokeWidth="8" opacity="0.1" />
        </g>
      )}
      <path d={SHAPE} />
    </svg>
  );
}
