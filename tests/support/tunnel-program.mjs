/**
 * Fake `cloudflared` and `tailscale`, with the output seen in public reports. Started by a script of `tunnels.ts` with
 * its name and a folder: `orders.json` there sets its behaviour, and `state.json` holds the state of Tailscale's
 * service.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTunnelProxy } from './tunnel-proxy.mjs';

const [name, folder, ...args] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const orders = existsSync(join(folder, 'orders.json')) ? read('orders.json') : {};
const pem = () => ({
  key: readFileSync(join(folder, 'key.pem'), 'utf8'),
  cert: readFileSync(join(folder, 'cert.pem'), 'utf8'),
});
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
  const proxy = await startTunnelProxy({
    ...pem(),
    target: orders.elsewhere ?? target,
    silentMs: orders.silentMs,
    holdsStreams: true,
    headers: (visitor, forwarded) => ({
      'cf-connecting-ip': visitor,
      'x-forwarded-for': forwarded === undefined ? visitor : `${forwarded},${visitor}`,
    }),
  });
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
