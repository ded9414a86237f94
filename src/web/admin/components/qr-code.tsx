import { qrPath } from './qr-path.ts';

/** Wine on white in both themes, readable for every camera. `size` in pixels, `margin` in modules of the code. */
const QR = { ink: '#4a1230', paper: '#ffffff', size: 232, margin: 3 } as const;

/** A link as a QR code. `title`: text for screen readers. */
export function QrCode({ value, title }: { value: string; title: string }) {
  const { d, side } = qrPath(value);
  const outerSide = side + 2 * QR.margin;
  return (
    <svg
      role="img"
      aria-label={title}
      width={QR.size}
      height={QR.size}
      viewBox={`${-QR.margin} ${-QR.margin} ${outerSide} ${outerSide}`}
      shapeRendering="crispEdges"
      // `colorScheme` prevents a browser's forced dark mode from reducing the contrast.
      style={{ colorScheme: 'only light', maxWidth: '100%', height: 'auto', borderRadius: 12 }}
    >
      <rect x={-QR.margin} y={-QR.margin} width={outerSide} height={outerSide} fill={QR.paper} />
      <path d={d} fill={QR.ink} />
    </svg>
  );
}
