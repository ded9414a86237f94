import type { Times } from './times.ts';
import type { PictureTrack } from './tracks.ts';

export type Size = { width: number; height: number };

/** Limits of H.264 level 4.2: macroblocks (16 × 16) per picture and per second. */
const LEVEL_4_2 = { blocks: 8_704, blocksASecond: 522_240 } as const;
/** Box that larger films are scaled into, in pixels. */
const BOX = { long: 1_920, short: 1_080 } as const;
/** Maximum shorter side of a light film, in pixels. */
const LIGHT_SHORT = 540;
/** Maximum pictures per second of converted films. */
export const MAX_FRAMES = 60;
/** Maximum pictures per second of light films. */
export const LIGHT_FRAMES = 30;

const even = (side: number) => Math.max(2, 2 * Math.floor(side / 2 + 0.01));

/** Returns true if a level 4.2 decoder handles pictures of this size at this rate. */
export function fitsLevel({ width, height }: Size, framesASecond: number): boolean {
  const blocks = Math.ceil(width / 16) * Math.ceil(height / 16);
  return (
    blocks <= LEVEL_4_2.blocks &&
    blocks * framesASecond <= LEVEL_4_2.blocksASecond &&
    Math.max(width, height) <= 16 * Math.sqrt(8 * LEVEL_4_2.blocks)
  );
}

/** Returns the size in square pixels, even and within level 4.2; never enlarged. */
export function fitted({ width, height }: Size, pixelAspect: number): Size {
  const wide = pixelAspect >= 1 ? width * pixelAspect : width;
  const high = pixelAspect >= 1 ? height : height / pixelAspect;
  const as = (share: number) => ({ width: even(wide * share), height: even(high * share) });
  if (fitsLevel(as(1), MAX_FRAMES)) return as(1);
  const [long, short] = [Math.max(wide, high), Math.min(wide, high)];
  return as(Math.min(1, BOX.long / long, BOX.short / short));
}

/** Returns the size of the light version of a `fitted` film; never enlarged. */
export function lightened({ width, height }: Size): Size {
  const share = Math.min(1, LIGHT_SHORT / Math.min(width, height));
  return { width: even(width * share), height: even(height * share) };
}

/**
 * Rotation of a picture: swapped sides, then mirroring, and the filters for both. Only the signs of four of an MP4 matrix's nine numbers
 * matter, because cameras rotate by quarter turns.
 */
type Rotation = { swaps: boolean; mirrored: boolean; filters: string[] };

export function rotationOf(matrix: readonly number[] | null): Rotation {
  if (matrix === null) return { swaps: false, mirrored: false, filters: [] };
  const [a = 0, b = 0, , c = 0, d = 0] = matrix;
  const mirrored = a * d - b * c < 0;
  if (Math.abs(a) + Math.abs(d) >= Math.abs(b) + Math.abs(c)) {
    const filters = [...(a < 0 ? ['hflip'] : []), ...(d < 0 ? ['vflip'] : [])];
    return { swaps: false, mirrored, filters };
  }
  const direction = c < 0 ? 'clock' : 'cclock';
  const flip = b < 0 === c < 0 ? '_flip' : '';
  return { swaps: true, mirrored, filters: [`transpose=${direction}${flip}`] };
}

/** Transfer functions that exceed the brightness of an ordinary screen: PQ and HLG, as code points of ISO/IEC 23091-2. */
const HDR_TRANSFERS = new Set([16, 18]);
export const isHdr = ({ colour }: PictureTrack) => HDR_TRANSFERS.has(colour.transfer);
/** Primaries with more colours than sRGB: BT.2020, both kinds of P3. */
const WIDE = new Set([9, 11, 12]);
const UNSPECIFIED = 2;
/** Names in FFmpeg's filters for the code points of the bitstream. */
const MATRICES: Record<number, string> = {
  1: '709',
  5: '470bg',
  6: '170m',
  7: '240m',
  9: '2020_ncl',
  10: '2020_cl',
};
const PRIMARIES: Record<number, string> = {
  1: '709',
  5: '470bg',
  6: '170m',
  9: '2020',
  11: 'smpte431',
  12: 'smpte432',
};
const TRANSFERS: Record<number, string> = {
  1: '709',
  6: '601',
  14: '2020_10',
  15: '2020_12',
  16: 'smpte2084',
  18: 'arib-std-b67',
};

/**
 * Returns the FFmpeg filters that convert any picture to an upright one in 8-bit 4:2:0, square pixels and BT.709. `size`: before
 * `turning`; `maxFrameRate`: pictures per second.
 */
export function pictureFilters(
  track: PictureTrack,
  times: Times,
  size: Size,
  { turning, maxFrameRate }: { turning: readonly string[]; maxFrameRate: number },
): string {
  return [
    ...(track.isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    ...frameRateFilters(times, maxFrameRate),
    ...colourFilters(track, size),
    ...turning,
    'sidedata=mode=delete',
    'setsar=1',
    'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
    'settb=1/90000',
  ].join(',');
}

/** Drops pictures that follow another too soon if there are more than `most` per second; the others keep their times. */
function frameRateFilters({ maxPerSecond }: Times, most: number): string[] {
  if (maxPerSecond <= most + 1) return [];
  const apart = (0.95 / most).toFixed(5);
  return [`select='isnan(prev_selected_t)+gte(t-prev_selected_t\\,${apart})'`];
}

function colourFilters(track: PictureTrack, { width, height }: Size): string[] {
  const small = `w=${width}:h=${height}:filter=bicubic`;
  if (isHdr(track))
    return [
      // Scaled first, because the next filters need 12 bytes per pixel.
      `zscale=${small}:${zscaleIn(track)}`,
      'zscale=t=linear:npl=100',
      'format=gbrpf32le',
      'zscale=p=709',
      'tonemap=tonemap=hable:desat=0',
      'zscale=t=709:m=709:r=limited',
      'format=yuv420p',
    ];
  if (WIDE.has(track.colour.primaries))
    return [`zscale=${small}:${zscaleIn(track)}:p=709:t=709:m=709:r=limited`, 'format=yuv420p'];
  const matrix = matrixOf(track);
  const input = matrix === '709' ? 'bt709' : matrix === '2020_ncl' ? 'bt2020' : 'bt601';
  const range = track.colour.isFull ? 'full' : 'limited';
  return [
    `scale=${width}:${height}:flags=bicubic:in_color_matrix=${input}:out_color_matrix=bt709:in_range=${range}:out_range=limited`,
    'format=yuv420p',
  ];
}

/** Returns the colour matrix. If unspecified, it is BT.709 for large pictures and BT.601 for small ones, as players assume. */
function matrixOf({ colour, height }: PictureTrack): string {
  return MATRICES[colour.matrix] ?? (height >= 720 ? '709' : '170m');
}

function zscaleIn(track: PictureTrack): string {
  const { primaries, transfer, matrix, isFull } = track.colour;
  const min = matrix === UNSPECIFIED && isHdr(track) ? '2020_ncl' : matrixOf(track);
  const pin = PRIMARIES[primaries] ?? (isHdr(track) ? '2020' : '709');
  const tin = TRANSFERS[transfer] ?? '709';
  return `min=${min}:pin=${pin}:tin=${tin}:rin=${isFull ? 'full' : 'limited'}`;
}

/** Longest side of a poster in pixels. */
const POSTER_SIDE = 1_280;

/**
 * Returns filters that choose the most typical of several pictures, not a black one or a flash. JPEG uses BT.601 in full range.
 * @param size of the pictures from `pictureFilters`
 */
export function posterFilters(pictureFilters: string, size: Size): string {
  const share = Math.min(1, POSTER_SIDE / Math.max(size.width, size.height));
  const [width, height] = [size.width, size.height].map((side) => Math.max(1, Math.round(side * share)));
  return [
    pictureFilters,
    'thumbnail=n=24',
    `scale=${width}:${height}:in_color_matrix=bt709:out_color_matrix=bt601:in_range=limited:out_range=full`,
    'format=yuvj420p',
  ].join(',');
}
