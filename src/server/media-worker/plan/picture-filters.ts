import type { Size } from './size.ts';
import type { Times } from './times.ts';
import type { PictureTrack } from './tracks.ts';

/** Code points of ISO/IEC 23091-2. */
const [PQ, HLG, BT_2020, UNSPECIFIED] = [16, 18, 9, 2];
/** Primaries with more colours than sRGB: BT.2020, both kinds of P3. */
const WIDE = new Set([BT_2020, 11, 12]);
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
 * `turning`; `most`: pictures per second.
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
  const { primaries, transfer } = track.colour;
  const small = `w=${width}:h=${height}:filter=bicubic`;
  if (transfer === PQ || transfer === HLG)
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
  if (WIDE.has(primaries))
    return [`zscale=${small}:${zscaleIn(track)}:p=709:t=709:m=709:r=limited`, 'format=yuv420p'];
  const input = matrixOf(track) === '709' ? 'bt709' : matrixOf(track) === '2020_ncl' ? 'bt2020' : 'bt601';
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
  const isHdr = transfer === PQ || transfer === HLG;
  const min = matrix === UNSPECIFIED && isHdr ? '2020_ncl' : matrixOf(track);
  const pin = PRIMARIES[primaries] ?? (isHdr ? '2020' : '709');
  const tin = TRANSFERS[transfer] ?? '709';
  return `min=${min}:pin=${pin}:tin=${tin}:rin=${isFull ? 'full' : 'limited'}`;
}
