import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '../../scripts/tools.mjs';

/** Configuration of `openssl ca`, the only command that sets both dates of a certificate in every version. */
const CONFIG = `
[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
`;

/** Issuer of the certificates. */
const ISSUER = 'Chi certifica';

type CertificateRequest = {
  name: string;
  /** Expired long ago. */
  expired?: boolean;
  /** Not signed by the authority. */
  selfSigned?: boolean;
};

/** A key and its certificate. */
export type Pem = { key: string; cert: string };

/** Creates a certificate authority: its root certificate, and certificates that it issues. */
export async function ownAuthority(): Promise<{
  ca: string;
  issuer: string;
  give(request: CertificateRequest): Pem;
  end(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-certificates-'));
  const at = (name: string) => join(folder, name);
  const openssl = toolPath('pebble', 'openssl');
  const run = (command: string, ...more: string[]) =>
    execFileSync(openssl, [...command.split(' '), ...more], { cwd: folder, stdio: 'ignore' });
  const made = (file: string, name: string, ...more: string[]) =>
    run(`req -newkey rsa:2048 -nodes -keyout ${file}.key -out ${file}.pem`, '-subj', `/CN=${name}`, ...more);
  const aDay = ['-x509', '-days', '1'];
  writeFileSync(at('config'), CONFIG);
  writeFileSync(at('index.txt'), '');
  made('ca', ISSUER, ...aDay);
  let count = 0;
  return {
    ca: readFileSync(at('ca.pem'), 'utf8'),
    issuer: ISSUER,
    give({ name, expired = false, selfSigned = false }) {
      count += 1;
      const own = `own-${count}`;
      made(own, name, ...(selfSigned ? aDay : []), '-addext', `subjectAltName=DNS:${name}`);
      const life = `-startdate 20200101000000Z -enddate ${expired ? '20200201000000Z' : '20490101000000Z'}`;
      if (!selfSigned)
        run(
          `ca -batch -config config -cert ca.pem -keyfile ca.key -notext ${life} -in ${own}.pem -out ${own}.crt`,
        );
      return {
        key: readFileSync(at(`${own}.key`), 'utf8'),
        cert: readFileSync(at(`${own}.${selfSigned ? 'pem' : 'crt'}`), 'utf8'),
      };
    },
    end: () => rm(folder, { recursive: true, force: true }),
  };
}
