/** Small media for the tests: each has one property that a test needs. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ffmpeg, h264, plain } from './encode.mjs';
import { makeSongFile } from './song.mjs';
import { makeFlightTickets, makeTrainTicket } from './tickets.mjs';
import { draw, takeJpeg } from './studio.mjs';

const fps = 25;

/** A rose sheet, a gold square that crosses it and comes back, and a tone that pulses once a second. */
function movingSquare(seconds, { noise = 0 } = {}) {
  const grain = noise ? `,noise=alls=${noise}:allf=t:all_seed=5` : '';
  const picture = `color=c=0x6d1f3f:s=360x640:r=${fps}:d=${seconds}[ground];color=c=0xe3bf7f:s=72x72:r=${fps}:d=${seconds}[square];`
    + `[ground][square]overlay=x='144+130*sin(2*PI*t/2)':y='284+200*cos(2*PI*t/3)'${grain},format=yuv420p[v]`;
  const tone = `aevalsrc=exprs='0.4*sin(2*PI*440*t)*(0.6+0.4*cos(2*PI*t))':s=44100:d=${seconds}:c=stereo`;
  return ['-filter_complex', `${picture};${tone}[a]`, '-map', '[v]', '-map', '[a]'];
}

async function makeTestVideos(folder) {
  const audio = ['-c:a', 'aac', '-b:a', '96k'];
  const whole = join(folder, 'video-3s.mp4');
  await ffmpeg([...movingSquare(3), ...h264(26, fps, '3.0'), ...audio, '-t', '3', ...plain, whole]);
  const big = ['-b:v', '690k', '-minrate', '690k', '-maxrate', '690k', '-bufsize', '690k', '-threads', '1'];
  await ffmpeg(['-filter_complex_threads', '1', ...movingSquare(8, { noise: 14 }), ...h264(26, fps, '3.0').filter((flag, i, all) => flag !== '-crf' && all[i - 1] !== '-crf'), ...big, ...audio, '-t', '8', ...plain, join(folder, 'video-big.mp4')]);
  const bytes = await readFile(whole);
  await writeFile(join(folder, 'video-truncated.mp4'), bytes.subarray(0, Math.floor(bytes.length * 0.6)));
}

export async function makeFixtures({ page, browser }, folder) {
  await makeTestVideos(folder);
  await makeSongFile(join(folder, 'song.mp3'), { seconds: 4, bitrate: '96k' });
  await makeFlightTickets(browser, join(folder, 'ticket.pdf'), 1);
  await makeTrainTicket(browser, join(folder, 'ticket.png'), { scale: 0.5 });
  await makeTrainTicket(browser, join(folder, 'ticket.jpg'), { type: 'jpeg', scale: 0.6 });
  await draw(page, 'thumbnail.mjs', 'thumbnail', 480, 640);
  await writeFile(join(folder, 'picture.jpg'), await takeJpeg(page, 100_000));
}
