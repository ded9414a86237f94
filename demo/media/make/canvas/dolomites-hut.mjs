/** What stands on the snow: spruces, the wooden hut with its lights, and two lines of footprints that end at its door. */
import { fade, glow, mix, polygon, wash } from './tools.mjs';

export function drawVillage(g, random) {
  forest(g, random);
  for (const [x, y, h] of [[70, 1150, 300], [170, 1110, 210], [1130, 1150, 330], [1040, 1100, 220], [248, 1080, 140]]) spruce(g, random, x, y, h, 0.35);
  footprints(g);
  hut(g, 812, 1120, 1.12);
  for (const [x, y, h] of [[28, 1330, 470], [1180, 1350, 520]]) spruce(g, random, x, y, h, 0);
}

function forest(g, random) {
  for (let row = 0; row < 4; row++) {
    for (let x = -20; x < 1220; x += 14 + random() * 22) {
      const gap = Math.abs(x - 560) < 240 - row * 22 ? 0.25 : 1;
      if (random() > gap) continue;
      spruce(g, random, x, 950 + row * 26 + random() * 14, 58 + row * 20 + random() * 40, 0.8 - row * 0.12);
    }
  }
}

/** A spruce with snow on each branch; `far` lightens it into the air. */
function spruce(g, random, x, y, h, far) {
  const dark = mix('#1f1230', '#7a5580', far);
  const snow = mix('#efdbe6', '#d8a9bd', far);
  const tiers = Math.max(4, Math.round(h / 24));
  g.fillStyle = dark;
  g.fillRect(x - h * 0.02, y - h * 0.1, h * 0.04, h * 0.12);
  for (let i = 0; i < tiers; i++) {
    const k = (i + 1) / tiers;
    const top = y - h + (h * 0.9 * i) / tiers;
    const low = y - h + h * 0.95 * k;
    const w = h * 0.24 * k * (0.9 + random() * 0.2);
    polygon(g, [[x, top], [x + w, low], [x + w * 0.4, low - h * 0.02], [x, low + h * 0.015], [x - w * 0.5, low - h * 0.02], [x - w, low]], dark);
    polygon(g, [[x, top], [x - w * 0.98, low - 1], [x - w * 0.5, low - h * 0.045], [x - w * 0.1, low - h * 0.03], [x + w * 0.12, low - h * 0.06]], fade2(snow, 0.86));
  }
}
const fade2 = (colour, alpha) => colour.replace(/[\d.]+\)$/, `${alpha})`);

function hut(g, x, y, s) {
  g.save();
  g.translate(x, y);
  g.scale(s, s);
  glow(g, 0, -40, 260, '#ffb765', 0.5);
  smoke(g);
  wash(g, -118, -96, 236, 96, [[0, '#6a3430'], [1, '#3b1826']]);
  g.strokeStyle = 'rgba(32,10,24,.45)';
  g.lineWidth = 1.5;
  for (let k = -88; k < 0; k += 11) { g.beginPath(); g.moveTo(-118, k); g.lineTo(118, k); g.stroke(); }
  polygon(g, [[-118, -96], [0, -168], [118, -96]], '#59292c');
  wash(g, -118, -14, 236, 16, [[0, '#8d7f96'], [1, '#5d5270']]);
  for (const wx of [-96, -50, 62]) pane(g, wx, -70, 32, 34);
  pane(g, -17, -134, 34, 28);
  g.fillStyle = '#2a0f20';
  g.fillRect(8, -72, 38, 60);
  g.fillStyle = '#ffd98c';
  g.fillRect(13, -67, 28, 22);
  snowbank(g);
  roof(g);
  lights(g);
  g.restore();
}

/** Snow blown against the walls, and the light of the windows lying on it. */
function snowbank(g) {
  for (const [x, w] of [[-74, 74], [92, 46]]) {
    const snow = g.createRadialGradient(x, -2, 4, x, 2, w);
    snow.addColorStop(0, 'rgba(255,226,205,.95)');
    snow.addColorStop(0.7, 'rgba(214,186,214,.9)');
    snow.addColorStop(1, 'rgba(190,164,204,0)');
    g.fillStyle = snow;
    g.beginPath();
    g.ellipse(x, 2, w, 16, 0, 0, 7);
    g.fill();
  }
  for (const x of [-80, -34, 28, 78]) { g.save(); g.translate(x, 26); g.scale(1, 0.4); glow(g, 0, 0, 80, '#ff9d5a', 0.1); g.restore(); }
}

function roof(g) {
  polygon(g, [[0, -192], [-156, -90], [-150, -74], [0, -172], [150, -74], [156, -90]], '#3b1826');
  g.beginPath();
  g.moveTo(0, -206);
  g.bezierCurveTo(-50, -184, -120, -128, -164, -98);
  g.bezierCurveTo(-172, -90, -160, -80, -150, -86);
  g.lineTo(0, -182);
  g.lineTo(150, -86);
  g.bezierCurveTo(160, -80, 172, -90, 164, -98);
  g.bezierCurveTo(120, -128, 50, -184, 0, -206);
  const snow = g.createLinearGradient(-160, 0, 160, 0);
  snow.addColorStop(0, '#ffe3dc');
  snow.addColorStop(0.5, '#f3d5e0');
  snow.addColorStop(1, '#b79cc4');
  g.fillStyle = snow;
  g.fill();
}

function pane(g, x, y, w, h) {
  g.fillStyle = '#2a0f20';
  g.fillRect(x - 4, y - 4, w + 8, h + 8);
  wash(g, x, y, w, h, [[0, '#ffe9ae'], [1, '#ffb75e']]);
  g.fillStyle = '#59292c';
  g.fillRect(x + w / 2 - 1.5, y, 3, h);
  g.fillRect(x, y + h / 2 - 1.5, w, 3);
  g.fillStyle = '#f6e6ee';
  g.fillRect(x - 6, y + h + 3, w + 12, 5);
  glow(g, x + w / 2, y + h / 2, 64, '#ffb75e', 0.5);
}

function smoke(g) {
  g.fillStyle = '#4a2030';
  g.fillRect(58, -196, 22, 50);
  g.fillStyle = '#f3dbe4';
  g.fillRect(55, -201, 28, 8);
  for (let i = 0; i < 34; i++) {
    const k = i / 34;
    glow(g, 70 + 34 * Math.sin(k * 5) * k + 30 * k, -206 - k * 190, 9 + k * 30, '#e9c3d0', 0.2 * (1 - k));
  }
}

function lights(g) {
  for (let i = 0; i <= 22; i++) {
    const k = i / 22;
    const x = -150 + 300 * k;
    const y = -84 - 98 * (1 - Math.abs(2 * k - 1)) + 7 * Math.abs(Math.sin(k * 22));
    glow(g, x, y + 6, 13, '#ffd08a', 0.9);
    g.fillStyle = '#fff0c8';
    g.beginPath();
    g.arc(x, y + 6, 2.1, 0, 7);
    g.fill();
  }
}

/** Two people walked here, side by side. */
function footprints(g) {
  for (let i = 0; i < 46; i++) {
    const k = i / 45;
    const near = (1 - k) ** 1.7;
    const y = 1124 + near * 500;
    const middle = 842 - 420 * near + 90 * Math.sin(k * 3.6) * (0.15 + near);
    const s = 3 + near * 12;
    for (const walker of [-1, 1]) {
      const x = middle + walker * s * 3.1 + (i % 2 ? s : -s) * 0.75;
      g.fillStyle = 'rgba(70,48,110,.5)';
      g.beginPath();
      g.ellipse(x, y, s * 0.42, s * 0.62, 0.2, 0, 7);
      g.fill();
      g.fillStyle = 'rgba(255,236,236,.5)';
      g.beginPath();
      g.ellipse(x + s * 0.1, y + s * 0.6, s * 0.4, s * 0.14, 0.2, 0, 7);
      g.fill();
    }
  }
}
