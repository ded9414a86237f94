/** Small drawing tools shared by every picture: palette, seeded chance, easing, noise. */

export const palette = {
  night: '#170d16', wine: '#3b1028', rose: '#6d1f3f', blush: '#f3cfc6', ivory: '#fff4ea', gold: '#e3bf7f',
};

export const serif = "'EB Garamond', 'Playfair Display', P052, serif";
export const sans = "Lato, 'Liberation Sans', sans-serif";

/** A seeded source of numbers in [0, 1): the same seed always draws the same picture. */
export function chance(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const clamp = (v, low = 0, high = 1) => Math.min(high, Math.max(low, v));
export const lerp = (a, b, k) => a + (b - a) * k;
export const smooth = (from, to, v) => {
  const k = clamp((v - from) / (to - from));
  return k * k * (3 - 2 * k);
};

/** Keyframes passed through without stopping (cubic, tangents from the neighbours). */
export function glide(frames, t) {
  const last = frames.length - 1;
  if (t <= frames[0][0]) return frames[0][1];
  if (t >= frames[last][0]) return frames[last][1];
  const i = frames.findIndex(([time]) => time > t);
  const slope = (n) => {
    const [a, b] = [frames[Math.max(0, n - 1)], frames[Math.min(last, n + 1)]];
    return n === 0 ? 0 : (b[1] - a[1]) / (b[0] - a[0]);
  };
  const [t0, v0] = frames[i - 1];
  const [t1, v1] = frames[i];
  const d = t1 - t0;
  const k = (t - t0) / d;
  return v0 * (1 + 2 * k) * (1 - k) ** 2 + v1 * k * k * (3 - 2 * k) + d * (slope(i - 1) * k * (1 - k) ** 2 - slope(i) * k * k * (1 - k));
}

export function rgb(hex) {
  const n = parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}
export const mixRgb = (a, b, k) => [lerp(a[0], b[0], k), lerp(a[1], b[1], k), lerp(a[2], b[2], k)];
export const css = ([r, g, b], alpha = 1) => `rgba(${Math.round(r)},${Math.round(g)},${Math.round(b)},${alpha})`;
export const mix = (a, b, k) => css(mixRgb(rgb(a), rgb(b), k));
export const fade = (hex, alpha) => css(rgb(hex), alpha);

/** Smooth keyframes: [[time, value], ...] eased between neighbours. */
export function keyframes(frames, t) {
  if (t <= frames[0][0]) return frames[0][1];
  for (let i = 1; i < frames.length; i++) {
    const [t1, v1] = frames[i];
    const [t0, v0] = frames[i - 1];
    if (t <= t1) return lerp(v0, v1, smooth(t0, t1, t));
  }
  return frames[frames.length - 1][1];
}

function hash(ix, iy) {
  let h = Math.imul(ix, 374761393) + Math.imul(iy, 668265263);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Value noise in [0, 1]. */
export function noise(x, y) {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const fx = x - ix;
  const fy = y - iy;
  const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
  const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
  return lerp(lerp(hash(ix, iy), hash(ix + 1, iy), u), lerp(hash(ix, iy + 1), hash(ix + 1, iy + 1), u), v);
}

/** Layers of noise in [0, 1]; `ridged` folds them into crests. */
export function layered(x, y, octaves, ridged = false) {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  for (let i = 0; i < octaves; i++) {
    const n = noise(x, y);
    sum += weight * (ridged ? (1 - Math.abs(2 * n - 1)) ** 2 : n);
    total += weight;
    weight *= 0.5;
    [x, y] = [x * 1.6 - y * 1.2 + 17.3, x * 1.2 + y * 1.6 + 5.1];
  }
  return sum / total;
}

export function canvasOf(width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

/** Fills the rectangle with a vertical gradient: stops are [position, colour]. */
export function wash(g, x, y, w, h, stops) {
  const gradient = g.createLinearGradient(0, y, 0, y + h);
  for (const [at, colour] of stops) gradient.addColorStop(at, colour);
  g.fillStyle = gradient;
  g.fillRect(x, y, w, h);
}

/** A soft round light that only adds. */
export function glow(g, x, y, radius, colour, alpha) {
  const gradient = g.createRadialGradient(x, y, 0, x, y, radius);
  for (let i = 0; i <= 8; i++) gradient.addColorStop(i / 8, fade(colour, alpha * (1 - i / 8) ** 2.2));
  g.save();
  g.globalCompositeOperation = 'lighter';
  g.fillStyle = gradient;
  g.fillRect(x - radius, y - radius, radius * 2, radius * 2);
  g.restore();
}

export function polygon(g, points, fill) {
  g.beginPath();
  points.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
  g.closePath();
  if (fill) {
    g.fillStyle = fill;
    g.fill();
  }
}

/** A heart around (0, 0), about two units wide; `u` runs from 0 to 1 from the tip round the right side. */
export function heartPoint(u) {
  const a = Math.PI - 2 * Math.PI * u;
  const x = 16 * Math.sin(a) ** 3;
  const y = 13 * Math.cos(a) - 5 * Math.cos(2 * a) - 2 * Math.cos(3 * a) - Math.cos(4 * a);
  return [x / 16, -(y + 2.5) / 16];
}

export function heartPath(g, x, y, size) {
  g.beginPath();
  for (let i = 0; i <= 60; i++) {
    const [hx, hy] = heartPoint(i / 60);
    if (i) g.lineTo(x + hx * size, y + hy * size);
    else g.moveTo(x + hx * size, y + hy * size);
  }
  g.closePath();
}

export function bird(g, x, y, size, colour) {
  g.strokeStyle = colour;
  g.lineWidth = Math.max(1, size / 7);
  g.beginPath();
  g.moveTo(x - size, y - size * 0.35);
  g.quadraticCurveTo(x - size * 0.35, y - size * 0.5, x, y);
  g.quadraticCurveTo(x + size * 0.35, y - size * 0.5, x + size, y - size * 0.3);
  g.stroke();
}
