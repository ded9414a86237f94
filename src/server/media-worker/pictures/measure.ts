import type { Metadata } from 'sharp';
import type { PictureInfo } from './bounds.ts';

const BYTES: Record<string, number> = {
  ushort: 2,
  short: 2,
  int: 4,
  uint: 4,
  float: 4,
  double: 8,
  complex: 8,
  dpcomplex: 16,
};

/** Converts sharp's metadata of an unread picture. */
export const readPictureInfo = ({
  format,
  width,
  height,
  channels,
  depth,
  isProgressive,
  chromaSubsampling,
}: Metadata): PictureInfo => ({
  format,
  width,
  height,
  channels,
  bytes: BYTES[depth] ?? 1,
  inRounds: isProgressive,
  colours: chromaSubsampling ?? '',
});
