/** Films of every kind that a phone, a camera, an editor or a messenger makes; two seconds each, and how FFmpeg makes them. */

export type Row = {
  name: string;
  /** What FFmpeg is told between its sources and the file. */
  args: string[];
  /** Its sources, where they aren't the usual moving picture and tone. */
  from?: string[];
  /** Is picture or sound taken over bit for bit? */
  keeps?: { picture?: boolean; sound?: boolean };
  silent?: boolean;
  /** Its colours are changed on purpose. */
  hdr?: boolean;
  /** As it is shown. */
  size?: [number, number];
  /** Of pictures in a second some go. */
  thinned?: boolean;
};

const lavfi = (source: string) => ['-f', 'lavfi', '-i', source];
const picture = (size = '320x240', rate = 25, seconds = 2) =>
  lavfi(`testsrc2=size=${size}:rate=${rate}:duration=${seconds}`);
const tone = (layout = 'stereo', seconds = 2) =>
  lavfi(`sine=frequency=440:duration=${seconds}:sample_rate=48000,aformat=channel_layouts=${layout}`);
export const SOURCES = [...picture(), ...tone()];

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '0'];
const aac = ['-c:a', 'aac', '-b:a', '64k'];
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-tag:v', 'hvc1'];
const both = { picture: true, sound: true };
const bt2020 = ['-color_primaries', 'bt2020', '-colorspace', 'bt2020nc'];

export const FILMS: Row[] = [
  { name: 'h264-aac.mp4', args: [...h264, ...aac], keeps: both },
  { name: 'b-frames.mp4', args: ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', ...aac], keeps: both },
  {
    name: 'with-a-place.mov',
    args: [
      ...h264,
      ...aac,
      '-movflags',
      'use_metadata_tags',
      '-metadata',
      'com.apple.quicktime.location.ISO6709=+41.8902+012.4922/',
    ],
    keeps: both,
  },
  {
    name: 'fragments.mp4',
    args: [...h264, ...aac, '-g', '10', '-movflags', 'frag_keyframe+empty_moov'],
    keeps: both,
  },
  { name: 'baseline.m4v', args: [...h264, '-profile:v', 'baseline', ...aac], keeps: both },
  { name: 'h264.mkv', args: [...h264, ...aac], keeps: both },
  { name: 'h264.ts', args: [...h264, ...aac], keeps: both },
  { name: 'silent.mp4', args: ['-map', '0', ...h264], keeps: { picture: true }, silent: true },
  {
    name: 'six-channels.mp4',
    from: [...picture(), ...tone('5.1')],
    args: [...h264, ...aac],
    keeps: { picture: true },
  },
  { name: 'pcm.mov', args: [...h264, '-c:a', 'pcm_s16le'], keeps: { picture: true } },
  { name: 'mp3-inside.mp4', args: [...h264, '-c:a', 'libmp3lame'], keeps: { picture: true } },
  { name: 'level-5.1.mp4', args: [...h264, '-level', '5.1', ...aac], keeps: both },
  // Sixteen pictures to remember at 1080p are too many for 4.2, whatever is said.
  {
    name: 'really-5.1.mp4',
    from: [...picture('1920x1080', 25, 1), ...tone('stereo', 1)],
    args: [
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-refs',
      '16',
      '-level',
      '5.1',
      '-pix_fmt',
      'yuv420p',
      ...aac,
    ],
    keeps: { sound: true },
    size: [1920, 1080],
  },
  {
    name: 'sixty.mp4',
    from: [...picture('640x360', 60), ...tone()],
    args: [...h264, ...aac],
    keeps: both,
    size: [640, 360],
  },
  {
    name: 'uneven-times.mp4',
    args: [...h264, '-vf', "select='not(eq(mod(n\\,7)\\,3))'", '-fps_mode', 'vfr', ...aac],
    keeps: both,
  },
  {
    name: 'late-sound.mp4',
    from: [...picture(), '-itsoffset', '0.7', ...tone('stereo', 1)],
    args: [...h264, ...aac],
    keeps: both,
  },
  {
    name: 'late-picture.mp4',
    from: ['-itsoffset', '0.5', ...picture('320x240', 25, 1), ...tone()],
    args: [...h264, ...aac],
    keeps: both,
  },
  { name: 'two-sounds.mkv', args: ['-map', '0', '-map', '1', '-map', '1', ...h264, ...aac], keeps: both },
  {
    name: 'chapters-text.mkv',
    from: [...SOURCES, '-f', 'srt', '-i', 'WORDS', '-f', 'ffmetadata', '-i', 'CHAPTERS'],
    args: ['-map', '0', '-map', '1', '-map', '2', '-map_metadata', '3', ...h264, ...aac],
    keeps: both,
  },
  { name: 'hevc.mp4', args: [...hevc, '-pix_fmt', 'yuv420p', ...aac], keeps: { sound: true } },
  {
    name: 'hevc-hlg.mov',
    args: [...hevc, '-pix_fmt', 'yuv420p10le', ...bt2020, '-color_trc', 'arib-std-b67', ...aac],
    keeps: { sound: true },
    hdr: true,
  },
  {
    name: 'hevc-pq.mkv',
    args: [...hevc, '-pix_fmt', 'yuv420p10le', ...bt2020, '-color_trc', 'smpte2084', ...aac],
    keeps: { sound: true },
    hdr: true,
  },
  {
    name: 'vp9-opus.webm',
    args: ['-c:v', 'libvpx-vp9', '-cpu-used', '8', '-deadline', 'realtime', '-c:a', 'libopus'],
  },
  { name: 'vp8-vorbis.webm', args: ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libvorbis'] },
  {
    name: 'av1.mp4',
    args: ['-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime', ...aac],
    keeps: { sound: true },
  },
  { name: 'mpeg4-mp3.avi', args: ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'] },
  { name: 'mpeg2.ts', args: ['-c:v', 'mpeg2video', '-c:a', 'mp2'] },
  { name: 'mpeg2-ac3.mpg', args: ['-c:v', 'mpeg2video', '-c:a', 'ac3', '-f', 'vob'] },
  { name: 'motion-jpeg.mov', args: ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_u8'] },
  { name: 'prores.mov', args: ['-c:v', 'prores_ks', '-pix_fmt', 'yuv422p10le', '-c:a', 'pcm_s24le'] },
  {
    name: 'dnxhr.mxf',
    args: ['-c:v', 'dnxhd', '-profile:v', 'dnxhr_lb', '-pix_fmt', 'yuv422p', '-c:a', 'pcm_s16le'],
    size: [320, 240],
  },
  { name: 'windows.wmv', args: ['-c:v', 'wmv2', '-c:a', 'wmav2'] },
  { name: 'flash.flv', args: ['-c:v', 'flv', '-c:a', 'libmp3lame', '-ar', '44100'] },
  { name: 'theora.ogv', args: ['-c:v', 'libtheora', '-pix_fmt', 'yuv420p', '-c:a', 'libvorbis'] },
  {
    name: 'old-phone.3gp',
    from: [...picture('352x288', 15), ...tone('mono')],
    args: ['-c:v', 'h263', ...aac],
    keeps: { sound: true },
    size: [352, 288],
  },
  { name: 'lossless.mkv', args: ['-c:v', 'ffv1', '-c:a', 'flac'] },
  {
    name: 'ten-bits.mp4',
    args: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv422p10le', ...aac],
    keeps: { sound: true },
  },
  {
    name: 'wide-pixels.mp4',
    args: [...h264, '-vf', 'setsar=4/3', ...aac],
    keeps: { sound: true },
    size: [426, 240],
  },
  {
    name: 'interlaced.mp4',
    args: [...h264, '-flags', '+ildct+ilme', '-x264opts', 'tff=1', ...aac],
    keeps: { sound: true },
  },
  {
    name: 'hundred-a-second.mp4',
    from: [...picture('1280x720', 180, 1), ...tone('stereo', 1)],
    args: [...h264, ...aac],
    keeps: { sound: true },
    size: [1280, 720],
    thinned: true,
  },
  {
    name: 'four-k.mp4',
    from: [...picture('3840x2160', 10, 1), ...tone('stereo', 1)],
    args: [...h264, ...aac],
    keeps: { sound: true },
    size: [1920, 1080],
  },
  {
    name: 'odd-size.mp4',
    from: [...picture('321x241'), ...tone()],
    args: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p', ...aac],
    keeps: { sound: true },
  },
];

/** Kept, out of step, with what is left out, HDR, made anew, interlaced: those that `npm test` makes. */
const EVERY_WAY = new Set([
  'b-frames.mp4',
  'late-sound.mp4',
  'chapters-text.mkv',
  'hevc-hlg.mov',
  'vp9-opus.webm',
  'interlaced.mp4',
]);
export const FILMS_OF_EVERY_WAY = FILMS.filter(({ name }) => EVERY_WAY.has(name));
/** The others: for the long tests. */
export const OTHER_FILMS = FILMS.filter(({ name }) => !EVERY_WAY.has(name));
