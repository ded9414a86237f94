/** First destination: a street of Lisbon that goes down to the river at sunset, with its yellow tram. */
import { bird, canvasOf, chance, fade, glow, layered, mix, polygon, wash } from './tools.mjs';
import { drawTram } from './lisbon-tram.mjs';

const size = { w: 1200, h: 1600 };
const eye = { x: 600, y: 660, f: 1500, height: 2.2, fall: 0.1 };
const half = 3.7;
const sun = { x: 566, y: 588 };

/** A point of the street (metres: across, above the ground, ahead) on the sheet. */
function at(x, up, z) {
  return [eye.x + (eye.f * x) / z, eye.y + eye.f * (eye.fall - (up - eye.height) / z)];
}

export function lisbon() {
  const sheet = canvasOf(size.w, size.h);
  const g = sheet.getContext('2d');
  const random = chance(1755);
  drawSky(g, random);
  drawRiver(g, random);
  drawRoofs(g, random);
  drawStreet(g, random);
  drawSide(g, random, -1);
  drawSide(g, random, 1);
  drawGarlands(g, random);
  const [tx, ty] = at(1.25, 0, 11.2);
  drawTram(g, tx, ty, (eye.f / 11.2) * 2.45);
  drawWires(g);
  for (const [x, y, s] of [[640, 300, 17], [700, 262, 13], [585, 348, 11], [690, 352, 9], [520, 250, 9]]) bird(g, x, y, s, 'rgba(59,16,40,.75)');
  warm(g);
  return sheet;
}

function drawSky(g, random) {
  wash(g, 0, 0, size.w, 720, [[0, '#3b1440'], [0.22, '#6d2450'], [0.45, '#b2455e'], [0.66, '#e67f62'], [0.82, '#f6b170'], [1, '#ffdc98']]);
  for (let i = 0; i < 26; i++) {
    const y = 130 + random() * 400;
    const w = 240 + random() * 420;
    const x = 600 + (random() - 0.5) * 900;
    g.save();
    g.translate(x, y);
    g.scale(1, 0.055 + random() * 0.04);
    glow(g, 0, 0, w, y > 330 ? '#ffb26e' : '#e0607a', 0.34);
    g.restore();
  }
  glow(g, sun.x, sun.y, 620, '#ffc878', 0.55);
  glow(g, sun.x, sun.y, 190, '#fff0c4', 0.9);
  g.fillStyle = '#fff6da';
  g.beginPath();
  g.arc(sun.x, sun.y, 46, 0, 7);
  g.fill();
}

function drawRiver(g, random) {
  const far = [[0, eye.y]];
  for (let x = 0; x <= size.w; x += 6) far.push([x, eye.y - 12 - 46 * layered(x / 210, 3, 4)]);
  far.push([size.w, eye.y]);
  polygon(g, far, '#b05a63');
  drawBridge(g);
  wash(g, 0, eye.y, size.w, 220, [[0, '#ffd08c'], [0.25, '#f09a6c'], [0.7, '#b45468'], [1, '#7c3358']]);
  for (let i = 0; i < 420; i++) {
    const k = random();
    const x = sun.x + (random() + random() + random() - 1.5) * (40 + k * 190);
    g.fillStyle = fade('#fff2c8', 0.25 + random() * 0.6);
    g.fillRect(x, eye.y + 2 + k * 200, 8 + random() * 26 * (0.3 + k), 1 + k * 2.4);
  }
  for (const [x, s] of [[628, 0.9], [530, 0.7]]) {
    polygon(g, [[x, eye.y + 26], [x + 3 * s, eye.y - 12 * s], [x + 22 * s, eye.y + 22]], '#7c3350');
    g.fillStyle = '#4a1a38';
    g.fillRect(x - 10 * s, eye.y + 26, 38 * s, 5 * s);
  }
}

function drawBridge(g) {
  const deck = eye.y - 34;
  g.strokeStyle = '#8a2f48';
  g.lineWidth = 4;
  g.beginPath();
  g.moveTo(0, deck + 6);
  g.lineTo(size.w, deck - 8);
  g.stroke();
  for (const x of [500, 790]) { g.fillStyle = '#8a2f48'; g.fillRect(x - 5, deck - 92, 4, 124); g.fillRect(x + 5, deck - 92, 4, 124); g.fillRect(x - 5, deck - 70, 12, 4); g.fillRect(x - 5, deck - 40, 12, 4); }
  g.lineWidth = 2;
  for (const [a, b] of [[250, 500], [500, 790], [790, 1050]]) {
    const outer = a === 250 ? [deck, deck - 90] : b === 1050 ? [deck - 90, deck] : [deck - 90, deck - 90];
    g.beginPath();
    g.moveTo(a, outer[0]);
    g.quadraticCurveTo((a + b) / 2, deck + 66 - (outer[0] === outer[1] ? 0 : 50), b, outer[1]);
    g.stroke();
  }
}

/** The roofs at the bottom of the street, down by the water. */
function drawRoofs(g, random) {
  for (let row = 0; row < 5; row++) {
    for (let x = 380 + random() * 20; x < 840; x += 26 + random() * 18) {
      const y = eye.y + 92 + row * 24 + random() * 14;
      const w = 34 + random() * 20;
      g.fillStyle = mix('#e9b8a0', '#a65566', random());
      g.fillRect(x, y, w, 70);
      polygon(g, [[x - 3, y], [x + w * 0.3, y - 12], [x + w * 0.8, y - 12], [x + w + 3, y]], mix('#b8503f', '#8a2f48', random()));
      g.fillStyle = '#ffe2a0';
      if (random() > 0.45) g.fillRect(x + 9, y + 8, 5, 7);
    }
  }
}

function drawStreet(g, random) {
  const end = 62;
  polygon(g, [at(-half, 0, 3.6), at(-half, 0, end), at(half, 0, end), at(half, 0, 3.6)], '#7a4254');
  for (let z = 3.6; z < 40; z *= 1.022) {
    const [, y] = at(0, 0, z);
    for (let x = -half; x < half; x += 0.2) {
      const [sx] = at(x + 0.1 * (Math.round(z * 40) % 2), 0, z);
      const light = Math.min(1, z / 34) * 0.55 + random() * 0.4;
      g.fillStyle = fade(random() > 0.3 ? '#f3b488' : '#3b1430', 0.1 + light * 0.34);
      g.fillRect(sx, y, (eye.f * 0.17) / z, Math.max(1, (eye.f * 0.05) / z * (1.6 - z / 40)));
    }
  }
  for (const x of [-2.05, -1.05, 0.7, 1.75]) {
    polygon(g, [at(x - 0.025, 0, 3.6), at(x, 0, end), at(x + 0.02, 0, end), at(x + 0.025, 0, 3.6)], '#f0bf92');
    polygon(g, [at(x + 0.025, 0, 3.6), at(x + 0.02, 0, end), at(x + 0.03, 0, end), at(x + 0.07, 0, 3.6)], '#3b1430');
  }
  for (const side of [-1, 1]) {
    polygon(g, [at(side * half, 0.02, 3.6), at(side * half, 0.02, end), at(side * (half - 0.8), 0.02, end), at(side * (half - 0.8), 0.02, 3.6)], '#c58a83');
    polygon(g, [at(side * (half - 0.8), 0.02, 3.6), at(side * (half - 0.8), 0.02, end), at(side * (half - 0.84), -0.1, end), at(side * (half - 0.86), -0.1, 3.6)], '#5a2440');
  }
}

const walls = ['#e8a58f', '#f0c39a', '#d98a86', '#8fa0b8', '#f3d3b4', '#c9727c', '#e6b07c', '#a9b7bd'];

/** One side of the street, from the far end to here, so that the near houses cover the far ones. */
function drawSide(g, random, side) {
  const houses = [];
  for (let z = 3.4; z < 60; ) { const w = 4.2 + random() * 2.2; houses.push([z, z + w, 7.4 + random() * 4.6, Math.floor(random() * walls.length)]); z += w; }
  for (const [near, far, height, tone] of houses.reverse()) {
    const x = side * half;
    const haze = Math.min(0.62, near / 62);
    const base = mix(mixShade(walls[tone], side), '#f4a873', haze);
    polygon(g, [at(x, -0.2, near), at(x, height, near), at(x, height, far), at(x, -0.2, far)], base);
    tiles(g, random, { x, near, far, tone, haze });
    openings(g, random, { x, near, far, height, haze, side });
    polygon(g, [at(x, height, near), at(x - side * 0.45, height, near), at(x - side * 0.45, height, far), at(x, height, far)], mix('#7a2f3c', '#d97a58', haze));
    polygon(g, [at(x, height + 1.1, near), at(x - side * 0.45, height, near), at(x - side * 0.45, height, far), at(x, height + 1.1, far)], mix('#b0483e', '#e88f62', haze));
  }
}

/** The sun is low on the left: the right side takes it, the left one keeps its colours in shade. */
const mixShade = (hex, side) => (side > 0 ? mixHex(hex, '#f2925f', 0.22) : mixHex(hex, '#5a2350', 0.52));
function mixHex(a, b, k) {
  const [r, gg, bb] = mix(a, b, k).match(/\d+/g).map(Number);
  return `#${((1 << 24) | (r << 16) | (gg << 8) | bb).toString(16).slice(1)}`;
}

function tiles(g, random, { x, near, far, tone, haze }) {
  if (tone % 4 !== 3) return;
  for (let z = near; z < far - 0.2; z += 0.5) {
    for (let up = 0.9; up < 3.1; up += 0.5) {
      polygon(g, [at(x, up, z), at(x, up + 0.5, z), at(x, up + 0.5, z + 0.5), at(x, up, z + 0.5)], fade((Math.round(z * 2) + Math.round(up * 2)) % 2 ? '#f4e3d3' : '#3d5b8c', 0.5 * (1 - haze)));
      polygon(g, [at(x, up + 0.25, z), at(x, up + 0.5, z + 0.25), at(x, up + 0.25, z + 0.5), at(x, up, z + 0.25)], fade('#35548a', 0.55 * (1 - haze)));
    }
  }
}

function openings(g, random, { x, near, far, height, haze, side }) {
  const inner = (up, z, out = 0) => at(x - side * out, up, z);
  const pane = (z, w, up, h, colour) => polygon(g, [inner(up, z), inner(up + h, z), inner(up + h, z + w), inner(up, z + w)], colour);
  for (let z = near + 0.7; z < far - 1.1; z += 1.75) {
    for (let floor = 0; floor * 2.75 + 2.6 < height; floor++) {
      const up = floor * 2.75 + (floor ? 0.35 : 0.05);
      pane(z - 0.14, 1.28, up - 0.1, 2.16, mix('#fbe6d2', '#f8c08a', haze));
      const on = random() > 0.58;
      pane(z, 1, up, 1.95, floor || on ? (on ? (random() > 0.5 ? '#ffcf7e' : '#f6b765') : '#5b2a48') : '#3d6a5e');
      pane(z + 0.47, 0.06, up, 1.95, '#fbe6d2');
      pane(z, 1, up + 1.2, 0.06, '#fbe6d2');
      if (on && near < 26) { const [lx, ly] = inner(up + 1, z + 0.5); glow(g, lx, ly, (eye.f * 0.9) / z, '#ffb05a', 0.11); }
      if (floor && z < 34) railing(g, inner, z, up, random);
    }
  }
}

function railing(g, inner, z, up, random) {
  g.strokeStyle = '#2a0f24';
  g.lineWidth = Math.max(1, 30 / z);
  for (let k = -0.2; k <= 1.21; k += 0.14) { g.beginPath(); g.moveTo(...inner(up - 0.1, z + k, 0.42)); g.lineTo(...inner(up + 0.82, z + k, 0.42)); g.stroke(); }
  for (const level of [-0.1, 0.82]) { g.beginPath(); g.moveTo(...inner(up + level, z - 0.2, 0)); g.lineTo(...inner(up + level, z - 0.2, 0.42)); g.lineTo(...inner(up + level, z + 1.2, 0.42)); g.stroke(); }
  if (random() > 0.6) return;
  for (let k = 0; k < 26; k++) {
    const [px, py] = inner(up + 0.78 - random() * 0.75, z - 0.2 + random() * 1.4, 0.44);
    g.fillStyle = ['#d8436f', '#f07a94', '#3f6b4a', '#4f7f54'][Math.floor(random() * 4)];
    g.beginPath();
    g.arc(px, py, Math.max(1.2, 66 / z) * (0.5 + random() * 0.6), 0, 7);
    g.fill();
  }
}

/** Paper flags and bulbs across the street, as in June. */
function drawGarlands(g, random) {
  for (const [z, up] of [[34, 8.2], [23, 7.3], [16, 6.6]]) {
    const line = (k) => { const [x, y] = at(-half + 2 * half * k, up - 1.1 * Math.sin(Math.PI * k), z); return [x, y]; };
    g.strokeStyle = '#4a1a38';
    g.lineWidth = 2;
    g.beginPath();
    for (let i = 0; i <= 30; i++) g.lineTo(...line(i / 30));
    g.stroke();
    for (let i = 1; i < 24; i++) {
      const [x, y] = line(i / 24);
      const s = 300 / z;
      polygon(g, [[x - s / 2, y], [x + s / 2, y], [x, y + s * 1.25]], ['#fff0dc', '#e3bf7f', '#e8738a', '#f3cfc6', '#b0364f'][Math.floor(random() * 5)]);
    }
  }
}

function drawWires(g) {
  g.strokeStyle = 'rgba(42,15,36,.75)';
  g.lineWidth = 2;
  for (const x of [1.25, -1.55]) { g.beginPath(); g.moveTo(...at(x, 5.6, 4)); for (let z = 5; z < 60; z += 3) g.lineTo(...at(x, 5.6, z)); g.stroke(); }
}

function warm(g) {
  glow(g, sun.x, sun.y, 900, '#ff9a5c', 0.15);
  wash(g, 0, 1050, size.w, 550, [[0, 'rgba(42,12,36,0)'], [1, 'rgba(42,12,36,.6)']]);
  wash(g, 0, 0, size.w, 300, [[0, 'rgba(36,10,36,.5)'], [1, 'rgba(36,10,36,0)']]);
}
