import { expect, test } from 'vitest';
import type { SiteAddress } from '../../src/contract/admin/address.ts';
import { commandsOf, siteName } from '../../src/web/admin/pages/online/commands.ts';

const SITE: SiteAddress = {
  public_url: null,
  reach: 'none',
  https: false,
  served: 'plain',
  port: 3000,
  open_to_network: true,
  hosts: ['192.168.1.7'],
  version: '1.2.3',
  installed: 'release',
  windows: false,
  data_dir: null,
};
const commands = (more: Partial<SiteAddress> = {}, name: string | null = 'sera.example') =>
  commandsOf({ ...SITE, ...more }, name);

test('takes a name as it is typed, and nothing that is none or would do more in a command', () => {
  for (const [typed, name] of [
    ['sera.example', 'sera.example'],
    ['  Sera.Example ', 'sera.example'],
    ['https://sera.example/', 'sera.example'],
    ['perché.example', 'xn--perch-fsa.example'],
    ['a.b.sera.example', 'a.b.sera.example'],
  ] as const)
    expect(siteName(typed)).toBe(name);
  const none = ['', 'sera', 'sera.local', 'localhost', '192.168.1.7', '93.184.216.34', 'sera.example/admin'];
  const odd = [
    'sera.example:8443',
    'a b.example',
    'sera.example;reboot',
    '$(reboot).example',
    "sera'.example",
  ];
  for (const typed of [...none, ...odd, '-oProxyCommand=x', 'a@sera.example'])
    expect(siteName(typed), typed).toBeNull();
});

test('a server: the release and a copy go there, and a unit begins it under its name', () => {
  const { server } = commands();
  expect(server.backup).toBe('npx ./sorpresa-1.2.3.tgz backup sorpresa.zip');
  expect(server.send).toBe('scp sorpresa-1.2.3.tgz sorpresa.zip root@sera.example:');
  expect(server.enter).toBe('ssh root@sera.example');
  // The release is installed by the Node it runs on.
  expect(server.install).toContain(
    ' npm install --prefix /opt/node node@26 npm@11 && PATH=/opt/node/node_modules/.bin:$PATH npm install --prefix /opt/sorpresa node@26 ./sorpresa-1.2.3.tgz',
  );
  expect(server.restore).toMatch(/^DATA_DIR=\/var\/lib\/sorpresa .* restore sorpresa\.zip$/);
  expect(server.start).toContain('Environment=DATA_DIR=/var/lib/sorpresa HTTPS_DOMAIN=sera.example\n');
  expect(commands({}, null).server.enter).toBe('ssh root@IL-TUO-NOME');
});

test('out of the source, the release is made first', () => {
  const { server, wifi } = commands({ installed: 'checkout' });
  expect(server.backup).toBe('npm run release\nnpm run backup -- sorpresa.zip');
  expect(server.send).toMatch(/^scp release\/sorpresa-1\.2\.3\.tgz /);
  expect(wifi.start).toBe('HOST=0.0.0.0 npm start');
});

test('here it goes on with its data and at its port', () => {
  const { casa, tunnel, wifi, server } = commands({ port: 4000, data_dir: '/srv/la mia' });
  const kept = "PORT=4000 DATA_DIR='/srv/la mia' npx ./sorpresa-1.2.3.tgz start";
  expect(casa.start).toBe(`HTTPS_DOMAIN=sera.example HTTP_PORT=8080 HTTPS_PORT=8443 ${kept}`);
  expect(tunnel.start).toBe(`PUBLIC_URL=https://sera.example TRUSTED_PROXIES=127.0.0.1,::1 ${kept}`);
  expect([tunnel.open, tunnel.local]).toEqual(['tailscale funnel --bg 4000', 'http://localhost:4000']);
  expect(wifi.start).toBe(`HOST=0.0.0.0 ${kept}`);
  expect(server.backup).toBe("DATA_DIR='/srv/la mia' npx ./sorpresa-1.2.3.tgz backup sorpresa.zip");
});

test('in PowerShell settings are said otherwise', () => {
  expect(commands({ windows: true, data_dir: 'C:\\dati' }).tunnel.start).toBe(
    "$env:PUBLIC_URL='https://sera.example'; $env:TRUSTED_PROXIES='127.0.0.1,::1'; $env:DATA_DIR='C:\\dati'; npx ./sorpresa-1.2.3.tgz start",
  );
});
