/** ffmpeg, fed through its standard input. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts ffmpeg; `write` waits when the pipe is full, `end` waits for the file and fails loudly. */
export function startFfmpeg(args) {
  const child = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...args], { stdio: ['pipe', 'inherit', 'inherit'] });
  const finished = once(child, 'close');
  child.stdin.on('error', () => {});
  return {
    async write(bytes) {
      if (!child.stdin.write(bytes)) await Promise.race([once(child.stdin, 'drain'), finished]);
    },
    async end() {
      child.stdin.end();
      const [code] = await finished;
      if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${args.join(' ')}`);
    },
  };
}

export async function ffmpeg(args, input = undefined) {
  const run = startFfmpeg(args);
  if (input) await run.write(input);
  await run.end();
}

/** Flags that leave no trace of the machine or the moment in a file. */
export const plain = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'];

/** H.264 High, 8-bit 4:2:0, BT.709, a keyframe every two seconds at most, moov first. */
export const h264 = (crf, fps, level = '4.0') => [
  '-c:v', 'libx264', '-profile:v', 'high', '-level:v', level, '-pix_fmt', 'yuv420p', '-preset', 'veryslow', '-crf', String(crf),
  '-g', String(fps * 2), '-threads', '4', '-x264-params', 'aq-mode=3:aq-strength=1.0',
  '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv', '-movflags', '+faststart',
];

export const pcmInput = (rate) => ['-f', 'f32le', '-ar', String(rate), '-ac', '2'];
