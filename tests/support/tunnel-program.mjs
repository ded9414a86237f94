/**
 * Fake `cloudflared` and `tailscale`, with the output seen in public reports. Started by a script of `tunnels.ts` with
 * its name and a folder: `orders.json` there sets its behaviour, and `state.json` holds the state of Tailscale's
 * service.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';

const [name, folder, ...args] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const orders = existsSync(join(folder, 'orders.json')) ? read('orders.json') : {};
appendFileSync(join(folder, 'calls.log'), `${name} ${args.join(' ')}\n`);

if (name === 'cloudflared') await cloudflared();
else await tailscale();

async function cloudflared() {
  const log = (text) => console.error(`2026-11-28T19:57:55Z INF ${text}`);
  log('Thank you for trying Cloudflare Tunnel.');
  log('Requesting new quick Tunnel on trycloudflare.com...');
  if (orders.dies) {
    console.error(
      'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: no such host',
    );
    process.exit(1);
  }
  if (orders.hangs) return void setInterval(() => {}, 1_000);
  const target = Number(/:(\d+)$/.exec(args.at(-1) ?? '')?.[1]);
  const pem = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) };
  const proxy = createServer(pem, (incoming, outgoing) =>
    carry(incoming, outgoing, orders.elsewhere ?? target),
  );
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(undefined)));
  const words = ['winter', 'light', 'rome', Math.random().toString(36).slice(2, 8)].join('-');
  const { port } = proxy.address();
  const address = `${orders.plain ? 'http' : 'https'}://${words}.trycloudflare.com:${port}`;
  log('+--------------------------------------------------------------------------------------------+');
  log('|  Your quick Tunnel has been created! Visit it at (it may take some time to be reachable):  |');
  log(`|  ${address.padEnd(88)}  |`);
  log('+--------------------------------------------------------------------------------------------+');
  log('Registered tunnel connection connIndex=0 location=mxp01 protocol=quic');
  process.on('SIGTERM', () => process.exit(0));
}

/** Carries a request to this machine like a quick tunnel, which buffers a GET's event stream until it is closed. */
function carry(incoming, outgoing, port) {
  const { method, url: path, headers } = incoming;
  // A test sets the visitor in a header, because all its connections come from one address.
  const visitor = String(headers['x-test-visitor'] ?? incoming.socket.remoteAddress);
  const forwarded = headers['x-forwarded-for'];
  const added = {
    'x-forwarded-proto': 'https',
    'cf-connecting-ip': visitor,
    'x-forwarded-for': forwarded === undefined ? visitor : `${forwarded},${visitor}`,
  };
  const target = { host: '127.0.0.1', port, method, path, headers: { ...headers, ...added } };
  const upstream = request(target, async (answer) => {
    const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
    const chunks = isStream && method === 'GET' ? await answer.toArray().catch(() => []) : null;
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    if (chunks === null) answer.pipe(outgoing);
    else outgoing.end(Buffer.concat(chunks));
  });
  upstream.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end('Bad gateway');
  });
  outgoing.once('close', () => upstream.destroy());
  incoming.pipe(upstream);
}

async function tailscale() {
  const state = existsSync(join(folder, 'state.json')) ? read('state.json') : {};
  const [command, ...rest] = args;
  if (command === 'status') {
    const Self = { DNSName: orders.signedOut ? '' : 'sera.tail01804b.ts.net.' };
    return console.log(JSON.stringify({ BackendState: orders.signedOut ? 'NeedsLogin' : 'Running', Self }));
  }
  if (command === 'serve') return console.log(JSON.stringify(state));
  const port = /--https=(\d+)/.exec(rest.join(' '))?.[1];
  if (rest.at(-1) === 'off') {
    delete state.TCP?.[port];
    delete state.Web?.[`sera.tail01804b.ts.net:${port}`];
    return writeFileSync(join(folder, 'state.json'), JSON.stringify(state));
  }
  if (orders.enable && !existsSync(join(folder, 'enabled'))) {
    console.log(`\nFunnel is not enabled on your tailnet.\nTo enable, visit:\n\n         ${orders.enable}\n`);
    while (!existsSync(join(folder, 'enabled'))) await new Promise((resolve) => setTimeout(resolve, 50));
    console.log('Success.');
  }
  const web = { Handlers: { '/': { Proxy: rest.at(-1) } } };
  const next = {
    TCP: { ...state.TCP, [port]: { HTTPS: true } },
    Web: { ...state.Web, [`sera.tail01804b.ts.net:${port}`]: web },
  };
  writeFileSync(join(folder, 'state.json'), JSON.stringify(next));
  console.log(`Available on the internet:\n\nhttps://sera.tail01804b.ts.net/\n|-- proxy ${rest.at(-1)}\n`);
}
