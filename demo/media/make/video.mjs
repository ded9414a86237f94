/** The film and its poster: frames drawn in the studio, sound from the score, one H.264 file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draw, take, takeJpeg } from './studio.mjs';
import { h264, ffmpeg, pcmInput, plain, startFfmpeg } from './encode.mjs';
import { makeFilmScore } from './music.mjs';
import { rate } from './synth.mjs';

const seconds = 12;
const fps = 30;

export async function makeVideo(page, target) {
  const folder = await mkdtemp(join(tmpdir(), 'film-'));
  try {
    const sound = join(folder, 'score.wav');
    await ffmpeg([...pcmInput(rate), '-i', 'pipe:0', ...plain, sound], makeFilmScore(seconds));
    const film = startFfmpeg([
      '-f', 'image2pipe', '-framerate', String(fps), '-c:v', 'png', '-i', 'pipe:0', '-i', sound,
      '-vf', 'scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int', ...h264(22, fps),
      '-c:a', 'aac', '-b:a', '128k', '-t', String(seconds), ...plain, target,
    ]);
    for (let i = 0; i < seconds * fps; i++) {
      await draw(page, 'film.mjs', 'frame', i / fps);
      await film.write(await take(page));
    }
    await film.end();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function makePoster(page, target) {
  await draw(page, 'film.mjs', 'frame', 1);
  await writeFile(target, await takeJpeg(page, 120_000));
}
