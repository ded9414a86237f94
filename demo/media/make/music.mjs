/** Two scores: the film's twelve seconds and the song that goes round under the phrases. */
import { bass, chime, hall, loopAt, master, pad, pitch, piano, sea, Stage } from './synth.mjs';
import { chance, smooth } from './canvas/tools.mjs';

/** Chords: bass note, then the notes the left hand breaks. */
const chords = {
  D: ['d2', 'd3', 'a3', 'd4', 'e4', 'f#4'], AonC: ['c#2', 'c#3', 'a3', 'c#4', 'e4', 'a4'],
  Bm: ['b1', 'b2', 'f#3', 'a3', 'd4', 'f#4'], G: ['g1', 'g2', 'd3', 'b3', 'd4', 'f#4'],
  DonF: ['f#2', 'f#2', 'd3', 'a3', 'd4', 'f#4'], Em: ['e2', 'e2', 'b2', 'g3', 'd4', 'g4'],
  Asus: ['a1', 'a2', 'e3', 'a3', 'd4', 'e4'], A: ['a1', 'a2', 'e3', 'a3', 'c#4', 'e4'],
  Fm: ['f#2', 'f#2', 'c#3', 'a3', 'c#4', 'e4'],
};

/** One bar each: chord(s), then the melody as note:beats ('-' rests). */
const song = [
  [['D'], '-:1 f#5:1.5 e5:.5 d5:1'],
  [['AonC'], 'e5:1.5 c#5:.5 a4:2'],
  [['Bm'], 'b4:1 d5:1 f#5:1.5 e5:.5'],
  [['G'], 'd5:3 -:1'],
  [['DonF'], 'a5:1.5 g5:.5 f#5:1 d5:1'],
  [['Em'], 'g5:1.5 f#5:.5 e5:1 b4:1'],
  [['G'], 'd5:1 e5:.5 f#5:.5 g5:1 b5:1'],
  [['Asus', 'A'], 'a5:2 e5:2'],
  [['Bm'], 'f#5:1.5 d5:.5 b4:1 f#5:1'],
  [['Fm'], 'a5:1.5 f#5:.5 c#5:2'],
  [['G'], 'b4:1 d5:1 a5:1 f#5:1'],
  [['Asus', 'A'], 'e5:3 -:1'],
];
const down = -1;

/** The left hand: broken quavers that rise and come back, never quite even. */
function breakChord(stage, names, at, beats, beat, random, loud) {
  const notes = names.slice(1);
  const order = [0, 1, 2, 3, 4, 3, 2, 1];
  for (let i = 0; i < beats * 2; i++) {
    const late = (random() - 0.5) * 0.016;
    const touch = loud * (i === 0 ? 1.15 : 0.8 + random() * 0.25);
    piano(stage, at + i * beat / 2 + late, pitch(notes[order[i % 8]], down), { loud: touch, ring: 2.6, pan: -0.3 + 0.1 * order[i % 8] });
  }
}

function singBar(stage, line, at, beat, random, loud) {
  let when = at;
  for (const item of line.split(' ')) {
    const [name, beats] = item.split(':');
    if (name !== '-') {
      const late = random() * 0.018;
      piano(stage, when + late, pitch(name, down), { loud: loud * (0.9 + random() * 0.2), ring: 3.6, pan: 0.15 });
    }
    when += Number(beats) * beat;
  }
}

/** Twelve bars at 72 to the minute: forty seconds exactly, and the last bar leads back to the first. */
export function makeSong(seconds = 40) {
  const beat = 60 / 72;
  const bar = beat * 4;
  const bars = Math.round(seconds / bar);
  const stage = new Stage(seconds + 5);
  const random = chance(1205);
  song.slice(0, Math.max(1, bars)).forEach(([names, line], i) => {
    const at = i * bar + 0.02;
    const swell = [0.3, 0.3, 0.33, 0.33, 0.4, 0.42, 0.46, 0.44, 0.4, 0.4, 0.42, 0.34][i];
    names.forEach((name, part) => {
      const from = at + part * bar / names.length;
      const beats = 4 / names.length;
      breakChord(stage, chords[name], from, beats, beat, random, swell * 0.72);
      bass(stage, from, pitch(chords[name][0], down), beats * beat + 0.2, { loud: 0.13 + swell * 0.12 });
      for (const [k, note] of chords[name].slice(2, 5).entries()) {
        pad(stage, from, pitch(note, down), beats * beat, { loud: 0.05 + swell * 0.06, pan: k * 0.5 - 0.5 });
      }
    });
    singBar(stage, line, at, beat, random, swell * 1.35);
    if (i >= 8) chime(stage, at + beat * 2, pitch(chords[names[0]][5], down + 12), { loud: 0.03, pan: 0.4 });
  });
  hall(stage, 0.3);
  loopAt(stage, seconds);
  return master(stage, 0.62);
}

/** The film: the house at night, the take-off, the heart closing round the moon (7 s), the words (9.4 s). */
export function makeFilmScore(seconds = 12) {
  const stage = new Stage(seconds);
  const random = chance(88);
  const play = (at, name, loud, pan = 0) => piano(stage, at, pitch(name), { loud, ring: 4, pan });
  sea(stage, seconds, { loud: 0.022, shape: (t) => smooth(0, 1.2, t) * (1 - smooth(10.6, 12, t)) });
  const bars = [[0.1, 'D', 2.3], [2.4, 'Bm', 2.3], [4.7, 'G', 2.3], [7, 'Asus', 1.2], [8.2, 'A', 1.2], [9.4, 'D', 2.6]];
  for (const [at, name, length] of bars) {
    const growth = 0.5 + 0.5 * smooth(0, 9, at);
    bass(stage, at, pitch(chords[name][0]), length + 0.2, { loud: 0.24 * growth });
    for (const [k, note] of chords[name].slice(2, 6).entries()) pad(stage, at, pitch(note), length, { loud: 0.085 * growth, pan: k * 0.5 - 0.7 });
    const steps = Math.floor(length / 0.2875);
    for (let i = 0; i < steps && at + i * 0.2875 < 9.9; i++) {
      play(at + i * 0.2875 + random() * 0.01, chords[name][1 + [0, 1, 2, 3, 4, 3, 2, 1][i % 8]], 0.2 + 0.14 * growth, -0.25);
    }
  }
  const melody = [[0.7, 'a4', 0.3], [1.25, 'd5', 0.38], [1.8, 'e5', 0.4], [2.4, 'f#5', 0.5], [3.55, 'e5', 0.4], [4.1, 'd5', 0.4],
    [4.7, 'b4', 0.42], [5.28, 'd5', 0.46], [5.85, 'f#5', 0.5], [6.42, 'a5', 0.52], [7, 'b5', 0.58], [7.6, 'a5', 0.48],
    [8.2, 'e5', 0.46], [8.8, 'c#5', 0.42], [9.4, 'd5', 0.6], [9.42, 'f#5', 0.5], [9.46, 'a5', 0.45], [10.3, 'd6', 0.34]];
  for (const [at, name, loud] of melody) play(at, name, loud, 0.2);
  for (const [k, name] of ['d6', 'f#6', 'a6', 'd7'].entries()) chime(stage, 7 + k * 0.11, pitch(name), { loud: 0.07, pan: k * 0.4 - 0.6 });
  for (const [k, name] of ['a6', 'd7', 'f#7'].entries()) chime(stage, 9.5 + k * 0.16, pitch(name), { loud: 0.045, pan: 0.6 - k * 0.5 });
  hall(stage, 0.34);
  fadeEnd(stage, seconds, 1.1);
  return master(stage, 0.66);
}

function fadeEnd(stage, seconds, last) {
  for (let i = 0; i < stage.length; i++) {
    const k = 1 - smooth(seconds - last, seconds - 0.02, (i / stage.length) * seconds);
    stage.left[i] *= k;
    stage.right[i] *= k;
  }
}
