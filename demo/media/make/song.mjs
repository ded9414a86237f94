/** The song, as an MP3. */
import { ffmpeg, pcmInput, plain } from './encode.mjs';
import { makeSong } from './music.mjs';
import { rate } from './synth.mjs';

export async function makeSongFile(target, { seconds = 40, bitrate = '128k' } = {}) {
  const tags = ['-metadata', 'title=Prima di dirtelo', '-id3v2_version', '3'];
  await ffmpeg([...pcmInput(rate), '-i', 'pipe:0', '-c:a', 'libmp3lame', '-b:a', bitrate, ...plain, ...tags, target], makeSong(seconds));
}
