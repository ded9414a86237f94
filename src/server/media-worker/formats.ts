/**
 * Demuxers that FFmpeg may use. Lists that refer to other files or addresses (HLS, DASH, concat, SDP, image sequences) are excluded:
 * FFmpeg would open those.
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
 * FFmpeg options for every input. Only the file at the path is opened, references to others (`dref`) are ignored, and the number of tracks
 * is limited to more than any camera writes.
 */
export const INPUT_OPTIONS = {
  protocol_whitelist: 'file',
  format_whitelist: FORMATS.join(','),
  enable_drefs: '0',
  max_streams: '64',
} as const;

/** Containers whose clock starts at zero. Others start anywhere and are shifted to zero. */
const FROM_ZERO = new Set(['mov,mp4,m4a,3gp,3g2,mj2', 'matroska,webm']);

/** Returns true if empty time before the first packet is a real delay. */
export const beginsAtZero = (container: string) => FROM_ZERO.has(container);
