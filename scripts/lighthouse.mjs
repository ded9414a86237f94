/**
 * `node scripts/lighthouse.mjs [address]`: Lighthouse (mobile) on the access screen of the built product, which it starts on a fresh data
 * folder unless an address is given. Prints figures and judges nothing: they depend on the machine.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt, ensureInstalled, node, root } from './setup.mjs';

const RUNS = 3;

ensureInstalled('all');
const chromium = ensureBrowser();
const given = process.argv[2];
if (given) await measure(given);
else {
  ensureBuilt();
  await withProduct(measure);
}

async function measure(address) {
  for (let run = 1; run <= RUNS; run += 1) {
    const { categories, audits } = await lighthouse(address);
    const seconds = (name) => (audits[name].numericValue / 1_000).toFixed(2);
    const figures = [
      `score ${Math.round(categories.performance.score * 100)}`,
      `LCP ${seconds('largest-contentful-paint')} s`,
      `FCP ${seconds('first-contentful-paint')} s`,
      `blocked ${seconds('total-blocking-time')} s`,
      `shift ${audits['cumulative-layout-shift'].numericValue.toFixed(3)}`,
    ];
    console.log(figures.join(', '));
  }
}

async function lighthouse(address) {
  const flags = '--headless=new --no-sandbox --disable-gpu --disable-quic --disable-background-networking';
  const args = [
    join(root, 'node_modules/lighthouse/cli/index.js'),
    address,
    '--only-categories=performance',
    '--output=json',
    '--quiet',
    `--chrome-flags=${flags}`,
  ];
  const child = spawn(node(), args, {
    env: { ...process.env, CHROME_PATH: chromium },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let json = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    json += text;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`Lighthouse ended with ${code}`);
  return JSON.parse(json);
}

async function withProduct(work) {
  const data = mkdtempSync(join(tmpdir(), 'sorpresa-lighthouse-'));
  const port = '4790';
  const env = { ...process.env, HOST: '127.0.0.1', PORT: port, DATA_DIR: data, LOG_LEVEL: 'error' };
  const product = spawn(node(), ['src/server/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const address = `http://127.0.0.1:${port}`;
    await ready(product, `${address}/readyz`);
    await work(`${address}/`);
  } finally {
    product.kill('SIGTERM');
    if (product.exitCode === null) await new Promise((resolve) => product.once('exit', resolve));
    rmSync(data, { recursive: true, force: true });
  }
}

async function ready(product, address) {
  for (let tries = 0; tries < 100 && product.exitCode === null; tries += 1) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The product did not start');
}
