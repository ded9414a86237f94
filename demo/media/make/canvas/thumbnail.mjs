/** The first destination picture in a small size. */
import { canvasOf } from './tools.mjs';
import { lisbon } from './lisbon.mjs';

export function thumbnail(width, height) {
  const sheet = canvasOf(width, height);
  const g = sheet.getContext('2d');
  g.imageSmoothingQuality = 'high';
  g.drawImage(lisbon(), 0, 0, width, height);
  return sheet;
}
