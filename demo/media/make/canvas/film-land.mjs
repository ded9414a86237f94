/** The film's still layers: sky, far hills, the town where it starts, the city where it ends. Each is drawn once. */
import { canvasOf, chance, fade, glow, layered, lerp, mix, palette, polygon, wash } from './tools.mjs';

export const view = { w: 720, h: 1280, horizon: 900, above: 520 };
const lit = ['#f6cf86', '#f3bd74', '#ffe1a6', '#e9a868'];

/** The sky is taller than the screen: the camera ends by looking up. */
export function skyLayer() {
  const h = view.horizon + view.above;
  const sheet = canvasOf(view.w, h);
  const g = sheet.getContext('2d');
  wash(g, 0, 0, view.w, h, [[0, '#0d0812'], [0.36, '#1b0e1e'], [0.58, '#371030'], [0.78, '#6d1f45'], [0.92, '#a8435f'], [1, '#d98673']]);
  const random = chance(3);
  for (let i = 0; i < 90; i++) {
    const k = random();
    const x = k * view.w * 1.4 - 140;
    const y = 620 - k * 520 + (random() - 0.5) * 260;
    glow(g, x, y, 60 + random() * 120, i % 3 ? '#6a3a6e' : '#8f5060', 0.05);
  }
  return sheet;
}

export function starList() {
  const random = chance(11);
  return Array.from({ length: 330 }, () => ({
    x: random() * (view.w + 320), y: random() ** 1.25 * (view.horizon + view.above - 120) - view.above,
    r: 0.8 + random() ** 4 * 2.2, phase: random() * 6.28, pace: 1 + random() * 2.4, warm: random() > 0.6,
  }));
}

/** A long range of hills against the glow. */
export function hillsLayer(width, height, colour, low, seed) {
  const sheet = canvasOf(width, height);
  const g = sheet.getContext('2d');
  const points = [[0, height]];
  for (let x = 0; x <= width; x += 4) points.push([x, height - height * (low + (0.9 - low) * layered(x / 330 + seed, seed, 5))]);
  points.push([width, height]);
  polygon(g, points, colour);
  return sheet;
}

function windows(g, random, x, y, w, h, share) {
  const step = 13;
  for (let wy = y + 10; wy < y + h - 8; wy += 19) {
    for (let wx = x + 7; wx < x + w - 8; wx += step + 4) {
      if (random() > share) continue;
      g.fillStyle = fade(lit[Math.floor(random() * lit.length)], 0.55 + random() * 0.4);
      g.fillRect(wx, wy, 5, 8);
    }
  }
}

function house(g, random, x, y, w, h, tone, share) {
  const wall = mix('#34122c', '#6b2a45', tone);
  wash(g, x, y, w, h, [[0, wall], [1, mix('#1d0b1b', '#3b1430', tone)]]);
  polygon(g, [[x - 3, y], [x + w * 0.5, y - w * 0.2], [x + w + 3, y]], mix('#22091b', '#8a3a48', tone * 0.7));
  windows(g, random, x, y, w, h, share);
}

function cypress(g, x, y, h) {
  g.fillStyle = '#160913';
  g.beginPath();
  g.moveTo(x, y - h);
  g.bezierCurveTo(x + h * 0.13, y - h * 0.6, x + h * 0.12, y - h * 0.1, x, y);
  g.bezierCurveTo(x - h * 0.12, y - h * 0.1, x - h * 0.13, y - h * 0.6, x, y - h);
  g.fill();
}

/** A hillside of houses: rows from far to near, following the ground line. */
function town(g, { random, from, to, ground, rows, share }) {
  for (let row = 0; row < rows; row++) {
    const near = row / (rows - 1);
    for (let x = from + random() * 20; x < to; x += 20 + random() * 16 + near * 12) {
      const w = 26 + random() * 20 + near * 14;
      const h = 40 + random() * 34 + near * 14;
      const y = lerp(ground(x), view.horizon + 24, near * 0.92) - h;
      if (y + h > view.horizon - 2 + near * 60) continue;
      house(g, random, x, y, w, h + 60, 0.75 - near * 0.5 + random() * 0.2, share);
    }
  }
}

/** Home: a small town over the bay, a bell tower, cypresses, and one balcony with the light on. */
export function homeLayer() {
  const sheet = canvasOf(1040, view.h);
  const g = sheet.getContext('2d');
  const random = chance(21);
  const ground = (x) => 905 - 250 * Math.max(0, Math.cos(x / 500)) ** 1.5 + 18 * Math.sin(x / 37);
  const slope = [[0, view.h]];
  for (let x = 0; x <= 1040; x += 8) slope.push([x, ground(x) + 400 * Math.max(0, (x - 560) / 420) ** 2.1 + 7 * layered(x / 26, 2, 3)]);
  slope.push([1040, view.h]);
  polygon(g, slope, '#1c0a19');
  tower(g, 196, 560, 150);
  for (const [x, h] of [[40, 130], [66, 100], [480, 120], [505, 92], [530, 76]]) cypress(g, x, ground(x) + 24, h);
  town(g, { random, from: -20, to: 560, ground, rows: 6, share: 0.34 });
  for (const [x, y, h] of [[116, 960, 150], [148, 968, 104], [590, 960, 86], [14, 1010, 190]]) cypress(g, x, y, h);
  balcony(g, 292, 838);
  groves(g, random);
  for (const [x, y, h] of [[196, 1120, 210], [560, 1090, 230], [522, 1100, 160], [66, 1180, 250]]) cypress(g, x, y, h);
  return sheet;
}

/** The dark trees at the foot of the town, row after row, with a few lamps among them. */
function groves(g, random) {
  for (let row = 0; row < 6; row++) {
    const y = 968 + row * 52;
    g.fillStyle = mix('#2c1026', '#0f070d', row / 5);
    g.beginPath();
    for (let x = -30; x < 630 + row * 40; x += 16 + random() * 22) {
      const r = 15 + random() * 17 + row * 4;
      g.moveTo(x + r, y);
      g.arc(x, y + random() * 22, r, 0, 7);
    }
    g.rect(0, y + 16, 615 + row * 40, 70);
    g.fill();
    if (row > 3) continue;
    for (let k = 0; k < 4; k++) glow(g, 40 + random() * 560, y + 14 + random() * 14, 9 + random() * 8, '#ffcf86', 0.7);
  }
}

function tower(g, x, y, h) {
  wash(g, x, y, 44, h + 60, [[0, '#6b2a45'], [1, '#2a0f24']]);
  polygon(g, [[x - 5, y], [x + 22, y - 56], [x + 49, y]], '#3d1530');
  g.fillStyle = '#f3c987';
  g.beginPath();
  g.roundRect(x + 14, y + 14, 16, 30, 8);
  g.fill();
  g.fillStyle = '#2a0f24';
  g.fillRect(x - 3, y + 54, 50, 5);
}

function balcony(g, x, y) {
  wash(g, x - 50, y - 74, 100, 260, [[0, '#7a3350'], [1, '#2f1128']]);
  polygon(g, [[x - 58, y - 74], [x, y - 100], [x + 58, y - 74]], '#4b1a36');
  glow(g, x, y - 14, 130, '#ffcf86', 0.5);
  g.fillStyle = '#ffdf9f';
  g.beginPath();
  g.roundRect(x - 16, y - 46, 32, 62, [16, 16, 0, 0]);
  g.fill();
  g.fillStyle = '#3b1028';
  g.fillRect(x - 1, y - 46, 2, 62);
  person(g, x - 7, y + 16, '#4a1733');
  person(g, x + 7, y + 16, '#3b1028');
  g.strokeStyle = '#1c0a19';
  g.lineWidth = 2;
  for (let bx = -28; bx <= 28; bx += 7) { g.beginPath(); g.moveTo(x + bx, y - 2); g.lineTo(x + bx, y + 18); g.stroke(); }
  g.fillStyle = '#1c0a19';
  g.fillRect(x - 31, y - 4, 62, 3);
  g.fillRect(x - 31, y + 17, 62, 5);
}

function person(g, x, y, colour) {
  g.fillStyle = colour;
  g.beginPath();
  g.arc(x, y - 33, 5, 0, 7);
  g.fill();
  g.beginPath();
  g.roundRect(x - 6.5, y - 28, 13, 30, 6);
  g.fill();
}

/** The other shore: a city of hills with a dome and a castle, all its lights on. */
export function cityLayer() {
  const sheet = canvasOf(1200, view.h);
  const g = sheet.getContext('2d');
  const random = chance(34);
  const ground = (x) => 872 - 190 * Math.exp(-(((x - 420) / 210) ** 2)) - 150 * Math.exp(-(((x - 850) / 260) ** 2)) + 10 * Math.sin(x / 23);
  const slope = [[90, view.horizon + 8]];
  for (let x = 100; x <= 1200; x += 8) slope.push([x, ground(x) + 26]);
  slope.push([1200, view.horizon + 8]);
  polygon(g, slope, '#3a1530');
  castle(g, 346, 604);
  g.save();
  g.beginPath();
  g.rect(0, 0, 1200, view.horizon);
  g.clip();
  town(g, { random, from: 150, to: 1180, ground: (x) => ground(x) + 42, rows: 7, share: 0.5 });
  dome(g, 690, 768);
  g.restore();
  wash(g, 80, view.horizon - 6, 1120, 16, [[0, '#1c0a19'], [1, '#1c0a19']]);
  for (let x = 110; x < 1200; x += 26) glow(g, x, view.horizon - 5, 13, '#ffcf86', 0.85);
  return sheet;
}

function castle(g, x, y) {
  g.fillStyle = '#5a2340';
  g.fillRect(x, y, 150, 150);
  for (const [tx, ty, w, h] of [[-12, -26, 34, 190], [56, -40, 34, 150], [128, -20, 34, 170]]) {
    wash(g, x + tx, y + ty, w, h, [[0, '#7d3450'], [1, '#4a1a36']]);
    for (let k = 0; k < w; k += 9) g.fillRect(x + tx + k, y + ty - 6, 5, 7);
  }
  for (let k = 0; k < 150; k += 10) { g.fillStyle = '#5a2340'; g.fillRect(x + k, y - 6, 5, 7); }
  glow(g, x + 75, y + 40, 130, '#e3a36f', 0.28);
}

function dome(g, x, y) {
  glow(g, x, y - 40, 130, '#ffcf86', 0.3);
  wash(g, x - 52, y, 104, 150, [[0, '#a5606a'], [1, '#5a2340']]);
  for (let k = -40; k <= 40; k += 20) { g.fillStyle = '#3b1430'; g.beginPath(); g.roundRect(x + k - 4, y + 18, 8, 26, 4); g.fill(); }
  const shade = g.createLinearGradient(x - 46, 0, x + 46, 0);
  shade.addColorStop(0, '#8b4a5c');
  shade.addColorStop(0.35, palette.blush);
  shade.addColorStop(1, '#6a2a44');
  g.fillStyle = shade;
  g.beginPath();
  g.ellipse(x, y, 46, 58, 0, Math.PI, 0);
  g.fill();
  g.fillRect(x - 7, y - 82, 14, 26);
  g.fillRect(x - 1, y - 100, 2, 20);
}
