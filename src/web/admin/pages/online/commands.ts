import type { SiteAddress } from '../../../../contract/admin/address.ts';
import { reachOf } from '../../../../domain/reach.ts';

type Setting = [name: string, value: string];

/** Stands in commands and addresses until a name is typed. */
const NAMELESS = 'IL-TUO-NOME';
/** Where the released product lies on a server. */
const THERE = '/opt/sorpresa/node_modules/.bin';
/** The copy of the evening that is carried there. */
const COPY = 'sorpresa.zip';
/** PORT where nothing is said. */
const USUAL_PORT = 3000;
/** At home nobody needs a right for these, and the router leads 80 and 443 to them. */
const HOME_PORTS = { http: 8080, https: 8443 } as const;

/**
 * The name in what somebody typed, as DNS has it: alone, or out of an address. Null where it is none that others could find. Whatever else was
 * typed never gets into a command.
 */
export function siteName(typed: string): string | null {
  const address = `https://${typed.trim().replace(/^https?:\/\//i, '')}`;
  if (!URL.canParse(address)) return null;
  const { hostname, pathname, port, username, search, hash } = new URL(address);
  const isAlone = pathname === '/' && port + username + search + hash === '';
  const isName = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/.test(hostname);
  return isAlone && isName && reachOf(hostname) === 'public' ? hostname : null;
}

/** How the product is started here, with these settings. It stays on the data and the port it has. */
function startHere(site: SiteAddress, settings: Setting[]): string {
  const { installed, version, port } = site;
  const program = installed === 'checkout' ? 'npm start' : `npx ./sorpresa-${version}.tgz start`;
  const kept: Setting[] = port === USUAL_PORT ? [] : [['PORT', String(port)]];
  return withSettings(site, [...settings, ...kept], program);
}

/** A copy of the evening into a file beside, and where it isn't there yet what a server runs. */
function backupHere(site: SiteAddress): string {
  return site.installed === 'release'
    ? withSettings(site, [], `npx ./sorpresa-${site.version}.tgz backup ${COPY}`)
    : `npm run release\n${withSettings(site, [], `npm run backup -- ${COPY}`)}`;
}

/** For a shell, or for PowerShell. */
function withSettings({ windows, data_dir }: SiteAddress, settings: Setting[], program: string): string {
  const all: Setting[] = data_dir === null ? settings : [...settings, ['DATA_DIR', data_dir]];
  const set = all.map(([name, value]) =>
    windows ? `$env:${name}='${value}';` : `${name}=${/^[\w./:,-]+$/.test(value) ? value : `'${value}'`}`,
  );
  return [...set, program].join(' ');
}

/** Every command of the page, with the name in it that was typed. */
export function commandsOf(site: SiteAddress, name: string | null) {
  const { version, installed, port } = site;
  const there = name ?? NAMELESS;
  const packed = `sorpresa-${version}.tgz`;
  const local = installed === 'checkout' ? `release/${packed}` : packed;
  return {
    server: {
      backup: backupHere(site),
      send: `scp ${local} ${COPY} root@${there}:`,
      enter: `ssh root@${there}`,
      // By Debian's own Node (18) npm would leave out what wants a newer one, without a word.
      install: `apt-get update && apt-get install -y npm libatomic1 && npm install --prefix /opt/node node@26 npm@11 && PATH=/opt/node/node_modules/.bin:$PATH npm install --prefix /opt/sorpresa node@26 ./${packed}`,
      restore: `DATA_DIR=/var/lib/sorpresa ${THERE}/node ${THERE}/sorpresa restore ${COPY}`,
      start: unitOf(there),
      register: 'journalctl -u sorpresa | grep Codice',
    },
    casa: {
      start: startHere(site, [
        ['HTTPS_DOMAIN', there],
        ['HTTP_PORT', String(HOME_PORTS.http)],
        ['HTTPS_PORT', String(HOME_PORTS.https)],
      ]),
    },
    tunnel: {
      open: `tailscale funnel --bg ${port}`,
      local: `http://localhost:${port}`,
      start: startHere(site, [
        ['PUBLIC_URL', `https://${there}`],
        ['TRUSTED_PROXIES', '127.0.0.1,::1'],
      ]),
    },
    wifi: { start: startHere(site, [['HOST', '0.0.0.0']]) },
  };
}

/** The unit of docs/operations.md, and what begins it. */
function unitOf(name: string): string {
  return `useradd --system sorpresa
cat > /etc/systemd/system/sorpresa.service <<'FINE'
[Unit]
Description=Sorpresa
Wants=network-online.target
After=network-online.target

[Service]
User=sorpresa
Environment=DATA_DIR=/var/lib/sorpresa HTTPS_DOMAIN=${name}
StateDirectory=sorpresa
StateDirectoryMode=0700
ExecStart=${THERE}/node ${THERE}/sorpresa start
Restart=always
AmbientCapabilities=CAP_NET_BIND_SERVICE
NoNewPrivileges=true
ProtectSystem=strict
ProtectHome=true
PrivateTmp=true
PrivateDevices=true

[Install]
WantedBy=multi-user.target
FINE
systemctl enable --now sorpresa`;
}
