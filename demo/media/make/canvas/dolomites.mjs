/** Second destination: the Dolomites in snow, when the last sun turns them rose. A height field, walked column by column. */
import { canvasOf, chance, clamp, css, fade, glow, layered, mixRgb, noise, rgb, smooth, wash } from './tools.mjs';
import { drawVillage } from './dolomites-hut.mjs';

const size = { w: 1200, h: 1600 };
const eye = { horizon: 900, focal: 1150, height: 26 };

/** The towers: across, ahead (metres, roughly), height, breadth. */
const towers = [
  [-300, 1250, 400, 150], [-170, 1190, 560, 120], [-35, 1230, 690, 135], [105, 1180, 585, 110], [225, 1240, 470, 130],
  [380, 1300, 545, 150], [-460, 1330, 430, 190], [560, 1330, 395, 210], [-640, 1380, 340, 220], [40, 1320, 480, 300],
];

function height(x, z) {
  const wx = x + 70 * (noise(x / 90, z / 90 + 7) - 0.5);
  const wz = z + 70 * (noise(x / 90 + 31, z / 90) - 0.5);
  let rock = 0;
  for (const [tx, tz, up, wide] of towers) {
    const d = Math.hypot(wx - tx, (wz - tz) * 0.8) / wide;
    if (d < 1) rock = Math.max(rock, up * (1 - d ** 2.6) ** 0.9);
  }
  const cut = layered(x / 46, z / 60, 5, true);
  const skirts = 150 * smooth(640, 1200, z) + 60 * smooth(880, 1150, z);
  const meadow = 34 * layered(x / 260, z / 260, 3) * smooth(60, 420, z) + 9 * layered(x / 34, z / 34, 4) * smooth(30, 120, z);
  return meadow + skirts * (0.55 + 0.7 * layered(x / 170, z / 170, 4)) + rock * (0.56 + 0.26 * cut + 0.12 * layered(x / 120 + 9, z / 120, 3));
}

export function dolomites() {
  const sheet = canvasOf(size.w, size.h);
  const g = sheet.getContext('2d');
  const random = chance(99);
  drawSky(g, random);
  drawLand(g);
  wash(g, 0, 640, size.w, 330, [[0, 'rgba(214,120,150,0)'], [0.7, 'rgba(196,120,160,.26)'], [1, 'rgba(150,96,150,.1)']]);
  drawVillage(g, random);
  wash(g, 0, 1250, size.w, 350, [[0, 'rgba(30,12,38,0)'], [1, 'rgba(30,12,38,.5)']]);
  snowfall(g, random);
  return sheet;
}

function drawSky(g, random) {
  wash(g, 0, 0, size.w, 950, [[0, '#1c1238'], [0.3, '#42235a'], [0.55, '#8a4576'], [0.78, '#d97f8c'], [1, '#f6c3a4']]);
  for (let i = 0; i < 230; i++) {
    const y = random() ** 1.7 * 560;
    g.fillStyle = fade('#fff4ea', (0.25 + random() * 0.7) * (1 - y / 620));
    g.beginPath();
    g.arc(random() * size.w, y, 0.7 + random() ** 5 * 2.4, 0, 7);
    g.fill();
  }
  glow(g, 930, 205, 210, '#f3cfc6', 0.34);
  g.save();
  g.beginPath();
  g.arc(930, 205, 40, 0, 7);
  g.clip();
  g.fillStyle = '#fff4ea';
  g.fillRect(880, 150, 100, 110);
  g.fillStyle = 'rgba(66,35,90,.93)';
  g.beginPath();
  g.arc(912, 196, 38, 0, 7);
  g.fill();
  g.restore();
}

const snowLit = rgb('#ffd9cf');
const snowShade = rgb('#8d78ad');
const rockLit = rgb('#ee7f74');
const rockShade = rgb('#563760');
const meadowLit = rgb('#e9cfe0');
const meadowShade = rgb('#7f6fa8');
const haze = rgb('#d98a9c');

function colourAt(x, z, h) {
  const e = 3 + z / 400;
  const dx = (height(x + e, z) - height(x - e, z)) / (2 * e);
  const dz = (height(x, z + e) - height(x, z - e)) / (2 * e);
  const n = 1 / Math.hypot(dx, dz, 1);
  const light = clamp((dx * 0.74 - dz * -0.22 + 0.5) * n * 0.95 + 0.1);
  const alpine = smooth(120, 260, h);
  const steep = smooth(0.42, 0.66, 1 - n + 0.22 * (layered(x / 22, h / 14, 3) - 0.5));
  const ledge = 0.75 * smooth(0.44, 0.68, layered(x / 44 + h / 90, h / 26, 5));
  const rose = smooth(150, 400, h);
  const snow = mixRgb(mixRgb(meadowShade, meadowLit, light), mixRgb(snowShade, snowLit, light), rose);
  const bands = 0.86 + 0.28 * layered(x / 60, h / 11, 3);
  const rock = mixRgb(rockShade, rockLit, clamp(light * (0.55 + 0.6 * rose))).map((v) => v * bands);
  const ground = mixRgb(snow, rock, steep * alpine * (1 - ledge));
  return mixRgb(ground, haze, clamp((z - 500) / 2600) * (1 - rose * 0.5));
}

/** From near to far: each column remembers how high it is already painted. */
function drawLand(g) {
  const image = g.getImageData(0, 0, size.w, size.h);
  const painted = new Float32Array(size.w).fill(size.h);
  for (let z = 40; z < 1620; z += Math.max(0.8, z / 420)) {
    for (let column = 0; column < size.w; column++) {
      const x = ((column - size.w / 2) * z) / eye.focal;
      const h = height(x, z);
      const y = Math.max(0, Math.round(eye.horizon - ((h - eye.height) * eye.focal) / z));
      if (y >= painted[column]) continue;
      const colour = colourAt(x, z, h);
      for (let row = y; row < painted[column]; row++) {
        const i = (row * size.w + column) * 4;
        [image.data[i], image.data[i + 1], image.data[i + 2]] = colour;
        image.data[i + 3] = 255;
      }
      painted[column] = y;
    }
  }
  g.putImageData(image, 0, 0);
}

function snowfall(g, random) {
  for (let i = 0; i < 150; i++) {
    g.fillStyle = css([255, 246, 240], 0.25 + random() * 0.5);
    g.beginPath();
    g.arc(random() * size.w, random() * size.h, 1 + random() ** 3 * 3.4, 0, 7);
    g.fill();
  }
}
