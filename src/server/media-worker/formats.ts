/**
 * The kinds of file that FFmpeg may open, by the names of its demuxers. What isn't here is never read: lists that name other files or
 * addresses (HLS, DASH, concat, SDP, image sequences) would make it read those.
 */
const FORMATS = [
  'mov,mp4,m4a,3gp,3g2,mj2',
  'matroska,webm',
  'avi',
  'mpegts',
  'mpeg',
  'mpegvideo',
  'm4v',
  'h264',
  'hevc',
  'obu',
  'ivf',
  'asf',
  'flv',
  'live_flv',
  'ogg',
  'mxf',
  'gxf',
  'dv',
  'rm',
  'nut',
  'wtv',
  'yuv4mpegpipe',
  'wav',
  'w64',
  'aiff',
  'caf',
  'au',
  'mp3',
  'aac',
  'loas',
  'flac',
  'amr',
  'amrnb',
  'amrwb',
  'ac3',
  'eac3',
  'dts',
  'ape',
  'wv',
  'tta',
  'tak',
  'mpc',
  'mpc8',
] as const;

/**
 * What every file is opened with, in FFmpeg's own words. The path is the only thing that may be opened, and only as a file; a movie's references to
 * others (`dref`) are left alone; no more tracks than any camera makes.
 */
export const INPUT_OPTIONS = {
  protocol_whitelist: 'file',
  format_whitelist: FORMATS.join(','),
  enable_drefs: '0',
  max_streams: '64',
} as const;

/** Those whose clock begins at zero; the others begin anywhere, and so are moved to zero. */
const FROM_ZERO = new Set(['mov,mp4,m4a,3gp,3g2,mj2', 'matroska,webm']);

/** Does a moment before which there is nothing mean to wait? */
export const beginsAtZero = (container: string) => FROM_ZERO.has(container);
