import { POSTER_BYTES } from '../../../../../domain/limits.ts';

/** No side of the picture is longer, in pixels. */
const LONGEST_SIDE = 1_280;
/** Of the finest that is small enough. */
const QUALITIES = [0.86, 0.7, 0.5] as const;
/** A frame whose mean lightness (0 to 255) is below this shows nothing. */
const BLACK_BELOW = 16;
/** Lightness is measured on a picture of this width and height, in pixels. */
const LOOKED_AT = 32;

/** The frame a video shows, as a JPEG; null where the browser can't draw it or it is not there yet. */
export async function drawFrame(video: HTMLVideoElement): Promise<Blob | null> {
  const { videoWidth: width, videoHeight: height } = video;
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || width === 0) return null;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const canvas = drawn(video, Math.round(width * scale), Math.round(height * scale));
  for (const quality of QUALITIES) {
    // The next only where this one is too large.
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    if (blob !== null && blob.size <= POSTER_BYTES) return blob;
  }
  return null;
}

/** Does the video show nothing but darkness now? */
export function isBlack(video: HTMLVideoElement): boolean {
  const { data } = context(drawn(video, LOOKED_AT, LOOKED_AT)).getImageData(0, 0, LOOKED_AT, LOOKED_AT);
  let sum = 0;
  // Red, green, blue and how solid: four numbers a pixel.
  for (let at = 0; at < data.length; at += 4)
    sum += (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0);
  return sum / (3 * LOOKED_AT * LOOKED_AT) < BLACK_BELOW;
}

function drawn(video: HTMLVideoElement, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  context(canvas).drawImage(video, 0, 0, width, height);
  return canvas;
}

function context(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const found = canvas.getContext('2d', { willReadFrequently: true });
  if (found === null) throw new Error('No canvas to draw on');
  return found;
}
