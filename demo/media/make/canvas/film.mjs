/** The film: a paper plane leaves a lit balcony, draws a heart round the moon, and reaches another city. */
import { canvasOf, chance, clamp, fade, glide, glow, heartPoint, keyframes, palette, serif, smooth, wash } from './tools.mjs';
import { cityLayer, hillsLayer, homeLayer, skyLayer, starList, view } from './film-land.mjs';

export const length = 12;
const moon = { x: 492, y: 400, r: 104 };
const cameraX = [[1.2, 0], [4.6, 880], [7.15, 900], [9.7, 1790], [12, 1812]];
const cameraY = [[8.3, 0], [10.4, -300]];
const flown = [[0.35, 0], [2.2, 0.09], [4, 0.24], [6.9, 0.515], [8.4, 0.65], [9.6, 0.77], [11.5, 1]];
let scene;

/** Straight and curved pieces, sampled into one line that is walked by length. */
function route() {
  const points = [];
  const curve = (a, b, c, d) => {
    for (let i = 0; i <= 80; i++) {
      const k = i / 80;
      const m = 1 - k;
      points.push([0, 1].map((n) => m ** 3 * a[n] + 3 * m * m * k * b[n] + 3 * m * k * k * c[n] + k ** 3 * d[n]));
    }
  };
  const centre = [895 + 360, 415];
  const size = 205;
  const tip = [centre[0], centre[1] + heartPoint(0)[1] * size];
  curve([296, 832], [420, 760], [300, 560], [560, 600]);
  curve([560, 600], [820, 640], [1120, 790], tip);
  for (let i = 2; i <= 158; i++) { const [x, y] = heartPoint(i / 160); points.push([centre[0] + x * size, centre[1] + y * size]); }
  curve(tip, [1400, 770], [1640, 700], [1880, 560]);
  curve([1880, 560], [2080, 430], [2260, 330], [2150, 240]);
  curve([2150, 240], [2040, 160], [1800, 225], [1880, 292]);
  curve([1880, 292], [1960, 352], [2330, 250], [2640, 120]);
  return measured(points);
}

function measured(points) {
  let run = 0;
  const at = points.map((p, i) => (run += i ? Math.hypot(p[0] - points[i - 1][0], p[1] - points[i - 1][1]) : 0));
  return { points, at: at.map((v) => v / run) };
}

function indexAt(path, share) {
  let low = 0;
  let high = path.at.length - 1;
  while (low < high) { const mid = (low + high) >> 1; if (path.at[mid] < share) low = mid + 1; else high = mid; }
  return low;
}

export function prepare() {
  const random = chance(77);
  scene = {
    sheet: canvasOf(view.w, view.h), sky: skyLayer(), stars: starList(), path: route(), home: homeLayer(), city: cityLayer(),
    far: hillsLayer(1700, 150, '#7c3354', 0.1, 4), near: hillsLayer(2300, 96, '#54203f', 0.02, 9),
    glitter: Array.from({ length: 620 }, () => ({ k: random() ** 1.4, x: random() + random() + random() - 1.5, phase: random() * 6.28, pace: 2 + random() * 3, w: random() })),
    dust: Array.from({ length: 150 }, () => ({ share: random(), dx: (random() - 0.5) * 22, dy: random() * 60, r: 0.7 + random() * 1.7, phase: random() * 6.28 })),
  };
  return scene.sheet;
}

/** One frame. Time alone decides what is seen. */
export function frame(t) {
  if (!scene) prepare();
  const g = scene.sheet.getContext('2d');
  const cx = keyframes(cameraX, t) + 6 * Math.sin(t * 0.7);
  const cy = keyframes(cameraY, t);
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.drawImage(scene.sky, 0, -view.above - cy * 0.9);
  drawStars(g, t, cx, cy);
  const mx = moon.x - cx * 0.15;
  const my = moon.y - cy * 0.8;
  drawMoon(g, mx, my, t);
  g.drawImage(scene.far, -cx * 0.3, view.horizon - 148 - cy);
  g.drawImage(scene.near, -cx * 0.55, view.horizon - 94 - cy);
  drawSea(g, t, cx, cy, mx);
  g.drawImage(scene.city, 1560 - cx, -cy);
  drawReflections(g, t, 1560 - cx, cy);
  g.drawImage(scene.home, -20 - cx * 1.06, -cy);
  drawTrail(g, t, cx, cy);
  drawWords(g, t);
  drawVeil(g, t);
  return scene.sheet;
}

function drawStars(g, t, cx, cy) {
  for (const s of scene.stars) {
    const x = s.x - cx * 0.1;
    const y = s.y - cy * 0.9;
    const low = smooth(view.horizon - 40, view.horizon - 520, y + cy * 0.9);
    g.fillStyle = fade(s.warm ? '#ffe0b8' : '#fff4ea', low * (0.35 + 0.6 * (0.5 + 0.5 * Math.sin(s.phase + t * s.pace))));
    g.beginPath();
    g.arc(x, y, s.r, 0, 7);
    g.fill();
  }
}

function drawMoon(g, x, y, t) {
  const beat = smooth(6.7, 7.1, t) * (1 - smooth(7.1, 8.4, t));
  glow(g, x, y, 420, '#e9a7a0', 0.34 + beat * 0.2);
  glow(g, x, y, 210, '#ffe7c9', 0.42 + beat * 0.25);
  const disc = g.createRadialGradient(x - 34, y - 38, 10, x, y, moon.r);
  disc.addColorStop(0, '#fffaf0');
  disc.addColorStop(0.7, '#f8dfc4');
  disc.addColorStop(1, '#e9bfa5');
  g.fillStyle = disc;
  g.beginPath();
  g.arc(x, y, moon.r, 0, 7);
  g.fill();
  for (const [dx, dy, r] of [[-30, -22, 30], [6, -44, 18], [34, 10, 26], [-12, 34, 22], [-58, 16, 14], [52, -32, 11]]) {
    const spot = g.createRadialGradient(x + dx, y + dy, 0, x + dx, y + dy, r);
    spot.addColorStop(0, 'rgba(205,150,138,.34)');
    spot.addColorStop(1, 'rgba(205,150,138,0)');
    g.fillStyle = spot;
    g.fillRect(x + dx - r, y + dy - r, r * 2, r * 2);
  }
}

function drawSea(g, t, cx, cy, mx) {
  const top = view.horizon - cy;
  wash(g, 0, top, view.w, view.h - view.horizon + 2, [[0, '#b3556a'], [0.08, '#7a2c50'], [0.4, '#3b1230'], [1, '#150b16']]);
  for (const d of scene.glitter) {
    const y = top + 2 + d.k ** 1.5 * (view.h - view.horizon);
    const spread = 46 + d.k * 190;
    const x = mx + d.x * spread + 10 * Math.sin(t * 0.8 + d.phase);
    const shine = Math.max(0, Math.sin(d.phase + t * d.pace)) ** 2 * (1 - Math.abs(d.x) / 1.6);
    g.fillStyle = fade('#ffe3bd', 0.75 * shine * (1 - d.k * 0.6));
    const w = (6 + d.w * 30) * (0.4 + d.k);
    g.fillRect(x - w / 2, y, w, 1 + d.k * 2.2);
  }
}

function drawReflections(g, t, left, cy) {
  for (let i = 0; i < 44; i++) {
    const x = left + 110 + i * 26;
    if (x < -30 || x > view.w + 30) continue;
    for (let k = 0; k < 9; k++) {
      const y = view.horizon + 8 + k * 12 - cy;
      const w = 12 + 5 * Math.sin(t * 2.2 + i * 1.7 + k);
      g.fillStyle = fade('#ffcf86', 0.42 * (1 - k / 9) * (0.55 + 0.45 * Math.sin(t * 3 + i * 2.3 + k * 1.9)));
      g.fillRect(x - w / 2 + 3 * Math.sin(t * 2 + k + i), y, w, 3);
    }
  }
}

function drawTrail(g, t, cx, cy) {
  const share = glide(flown, t);
  const { points } = scene.path;
  const end = indexAt(scene.path, share);
  if (share <= 0) return;
  g.save();
  g.translate(-cx, -cy);
  g.lineCap = g.lineJoin = 'round';
  for (const [width, colour, alpha] of [[16, '#e3a35f', 0.1], [8, palette.gold, 0.2], [3, '#ffe9c0', 0.95]]) {
    g.strokeStyle = fade(colour, alpha);
    g.lineWidth = width;
    g.beginPath();
    points.slice(0, end + 1).forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
    g.stroke();
  }
  for (const d of scene.dust) {
    const age = (share - d.share) * 26;
    if (age < 0 || age > 3) continue;
    const [x, y] = points[indexAt(scene.path, d.share)];
    g.fillStyle = fade('#ffe3b0', (1 - age / 3) * (0.5 + 0.5 * Math.sin(d.phase + t * 7)));
    g.beginPath();
    g.arc(x + d.dx * (0.4 + age * 0.4), y + d.dy * age * 0.5, d.r, 0, 7);
    g.fill();
  }
  drawPlane(g, points, end);
  g.restore();
}

function drawPlane(g, points, end) {
  const [x, y] = points[end];
  const [bx, by] = points[Math.max(0, end - 4)];
  const [ax, ay] = points[Math.min(points.length - 1, end + 4)];
  const angle = Math.atan2(ay - by, ax - bx);
  glow(g, x, y, 64, '#ffd997', 0.55);
  g.save();
  g.translate(x, y);
  g.rotate(angle);
  if (Math.cos(angle) < 0) g.scale(1, -1);
  const fold = (p, colour) => { g.fillStyle = colour; g.beginPath(); p.forEach(([px, py], i) => (i ? g.lineTo(px, py) : g.moveTo(px, py))); g.closePath(); g.fill(); };
  fold([[34, 0], [-24, -26], [-10, -4]], '#fffaf2');
  fold([[34, 0], [-10, -4], [-15, 14]], '#c98f86');
  fold([[34, 0], [-15, 14], [-4, 3]], '#8d4a5a');
  fold([[34, 0], [-4, 3], [-26, 12], [-10, -4]], '#f3cfc6');
  g.restore();
}

function drawWords(g, t) {
  g.textBaseline = 'alphabetic';
  g.font = `italic 400 116px ${serif}`;
  const words = ['Ti', 'porto', 'via'];
  const gap = 28;
  const widths = words.map((w) => g.measureText(w).width);
  let x = (view.w - widths.reduce((a, b) => a + b, gap * 2)) / 2;
  words.forEach((word, i) => {
    const k = smooth(9.3 + i * 0.22, 10.2 + i * 0.22, t);
    if (k > 0) {
      g.save();
      g.globalAlpha = k;
      g.filter = k < 1 ? `blur(${((1 - k) * 9).toFixed(1)}px)` : 'none';
      g.shadowColor = 'rgba(227,170,110,.75)';
      g.shadowBlur = 34;
      g.fillStyle = palette.ivory;
      g.fillText(word, x, 356 + (1 - k) * 22);
      g.restore();
    }
    x += widths[i] + gap;
  });
}

function drawVeil(g, t) {
  const dark = clamp(1 - smooth(-0.25, 0.7, t) + 0.9 * smooth(11.55, 12, t));
  const edge = g.createRadialGradient(360, 600, 420, 360, 640, 900);
  edge.addColorStop(0, 'rgba(13,6,12,0)');
  edge.addColorStop(1, 'rgba(13,6,12,.6)');
  g.fillStyle = edge;
  g.fillRect(0, 0, view.w, view.h);
  g.fillStyle = fade(palette.night, dark);
  if (dark > 0) g.fillRect(0, 0, view.w, view.h);
}
