import type { Dress } from '../../../../../domain/configuration.ts';
import { type Glow, type Ink, type Mark, MIDDLE, SHEET, type Shape, type TextLine } from './drawing.ts';

/** A6 in pixels, enough for screens and printers. */
const PICTURE = { width: 1240, height: 1748 } as const;

type PaintOptions = { width: number; height: number; type: 'image/png' | 'image/jpeg' };

/** Paints the card as a picture in the colours of its dress. Rejects if the browser can't provide a canvas. */
export async function paintCard(
  marks: readonly Mark[],
  dress: Dress,
  { width, height, type }: PaintOptions = { ...PICTURE, type: 'image/png' },
): Promise<Blob> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height, hidden: true });
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('There is no canvas to draw on');
  // In the page, so that the dress's tokens have values.
  canvas.dataset['dress'] = dress;
  document.body.append(canvas);
  const tokens = getComputedStyle(canvas);
  const painter = {
    pen,
    scale: width / SHEET.width,
    token: (name: string) => tokens.getPropertyValue(`--${name}`),
  };
  for (const mark of marks) {
    if (mark.kind === 'line') write(painter, mark);
    else fill(painter, mark);
  }
  canvas.remove();
  const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, QUALITY));
  // Frees the canvas, because phones limit canvas memory.
  Object.assign(canvas, { width: 0, height: 0 });
  if (picture === null) throw new Error('The picture could not be made');
  return picture;
}

/** JPEG quality at which text shows no artefacts. */
const QUALITY = 0.95;

type Painter = {
  pen: CanvasRenderingContext2D;
  /** Pixels per millimetre. */
  scale: number;
  token: (name: string) => string;
};

function fill({ pen, scale, token }: Painter, { d, at, fill: inside, line, opacity = 1 }: Shape): void {
  const path = new Path2D(d);
  pen.save();
  pen.scale(scale, scale);
  pen.translate(at.x, at.y);
  pen.scale(at.scale, at.scale);
  pen.globalAlpha = opacity;
  if (inside !== undefined) {
    pen.fillStyle = typeof inside === 'string' ? token(inside) : glow(pen, inside, token);
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a pen, not a list
    pen.fill(path);
  }
  if (line !== undefined) {
    pen.strokeStyle = token(line.ink);
    pen.lineWidth = line.width;
    pen.stroke(path);
  }
  pen.restore();
}

function glow(
  pen: CanvasRenderingContext2D,
  { x, y, radius, stops }: Glow,
  token: (ink: Ink) => string,
): CanvasGradient {
  const light = pen.createRadialGradient(x, y, 0, x, y, radius);
  for (const [at, ink] of Object.entries(stops)) light.addColorStop(Number(at), token(ink));
  return light;
}

function write(
  { pen, scale, token }: Painter,
  { text, y, size, weight, italic, letterSpacing, ink }: TextLine,
): void {
  pen.font = `${italic ? 'italic ' : ''}${weight} ${size * scale}px ${token('serif')}`;
  pen.fillStyle = token(ink);
  pen.textAlign = 'center';
  // Browsers without letter spacing on a canvas draw the line narrower.
  pen.letterSpacing = `${letterSpacing * size * scale}px`;
  pen.fillText(text, MIDDLE * scale, y * scale);
}
