import { getServers, setServers } from 'node:dns';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { getCACertificates, setDefaultCACertificates, connect as tlsConnect } from 'node:tls';
import type { CertificateState } from '../../src/contract/admin/certificate.ts';
import { type Authority, startAuthority } from './authority.ts';
import { freePort } from './free-port.ts';
import { startServer, type TestServer } from './server.ts';

export const NAME = 'sera.example';

/** An authority, what this process needs to trust it and to find names by it, and the ports of the product that asks it. */
export type HttpsGround = {
  authority: Authority;
  /** What its certificates are known by. */
  root: string;
  httpPort: number;
  httpsPort: number;
  /** The settings of a product that does https itself. */
  env: Record<string, string>;
  end(): Promise<void>;
};

export async function httpsGround(options: { seconds?: number } = {}): Promise<HttpsGround> {
  const [httpPort, httpsPort] = await Promise.all([freePort(), freePort()]);
  const authority = await startAuthority({ httpPort, ...options });
  const trusted = getCACertificates('default');
  const servers = getServers();
  setDefaultCACertificates([...trusted, authority.ca]);
  setServers([authority.dns]);
  return {
    authority,
    root: await authority.root(),
    httpPort,
    httpsPort,
    env: {
      HTTPS_DOMAIN: NAME,
      HTTPS_EMAIL: 'anna@example.org',
      HTTP_PORT: String(httpPort),
      HTTPS_PORT: String(httpsPort),
      PUBLIC_URL: `https://${NAME}:${httpsPort}`,
      ACME_DIRECTORY: authority.directory,
    },
    async end() {
      setDefaultCACertificates(trusted);
      setServers(servers);
      await authority.stop();
    },
  };
}

/** A clock that goes with the wall's, ahead of it by what it was moved. */
export function movableClock() {
  let ahead = 0;
  return { now: () => new Date(Date.now() + ahead), advance: (ms: number) => void (ahead += ms) };
}

export type HttpsServer = TestServer & {
  state(): CertificateState;
  /** Looks now, as it does every minute; resolves when asking is over. */
  look(): Promise<CertificateState>;
};

/** The product that does https itself; resolves when the first asking is over. */
export async function startHttpsServer(
  { env }: Pick<HttpsGround, 'env'>,
  { more = {}, ...options }: { more?: Record<string, string>; dataDir?: string; now?: () => Date } = {},
): Promise<HttpsServer> {
  const server = await startServer({ env: { ...env, ...more }, ...options });
  const { certificate } = server.deps;
  if (certificate === null) throw new Error('no https');
  const look = async () => {
    await certificate.look(null);
    return certificate.state();
  };
  await look();
  return { ...server, state: () => certificate.state(), look };
}

/** What was answered. */
export type Heard = { status: number | undefined; headers: IncomingMessage['headers']; bytes: Buffer };

type Asking = Omit<RequestOptions, 'headers'> & { headers?: OutgoingHttpHeaders; body?: string };

/** The answer to one request by https to this machine, under a name, unread. Rejects where the certificate isn't the authority's. */
export function openHttps({ httpsPort, root }: HttpsGround, options: Asking = {}): Promise<IncomingMessage> {
  const to = { port: httpsPort, servername: NAME, ca: root };
  return open(request, { ...to, ...options, headers: { host: `${NAME}:${httpsPort}`, ...options.headers } });
}

/** The same, read to its end. */
export const askHttps = async (ground: HttpsGround, options: Asking = {}): Promise<Heard> =>
  heard(await openHttps(ground, options));

/** The same by plain http. */
export async function askHttp(
  { httpPort }: Pick<HttpsGround, 'httpPort'>,
  options: Asking = {},
): Promise<Heard> {
  const headers = { host: NAME, ...options.headers };
  return heard(await open(httpRequest, { port: httpPort, ...options, headers }));
}

async function open(send: typeof request, { body, ...options }: Asking): Promise<IncomingMessage> {
  const asked = send({ host: '127.0.0.1', agent: false, ...options });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

async function heard(answer: IncomingMessage): Promise<Heard> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) };
}

/** The number of the certificate that is served under a name, or how the handshake ended. */
export async function servedAs(
  { httpsPort }: Pick<HttpsGround, 'httpsPort'>,
  servername: string | undefined,
): Promise<string> {
  const socket = tlsConnect({
    host: '127.0.0.1',
    port: httpsPort,
    rejectUnauthorized: false,
    ...(servername === undefined ? {} : { servername }),
  });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().serialNumber;
  } catch (error) {
    return `refused: ${(error as NodeJS.ErrnoException).code}`;
  } finally {
    socket.destroy();
  }
}
