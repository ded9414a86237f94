import { z } from 'zod';
import { adminCall, call, errorMap } from '../errors.ts';

/** Reasons why a certificate is missing or could not be renewed. */
export const TROUBLES = [
  /** The name has no IP address. */
  'no_address',
  /** None of its addresses belongs to this machine. */
  'points_elsewhere',
  /** The authority received no answer on port 80. */
  'unreachable',
  /** Another server answered the authority. */
  'other_answers',
  /** This process's user may not listen on the port. */
  'port_refused',
  /** Another program listens on the port. */
  'port_taken',
  /** Listening failed for another reason. */
  'port_closed',
  /** The authority requires a wait. */
  'wait',
  /** The authority doesn't answer, or reports that it is out of order. */
  'authority_away',
  /** The authority refused for a reason of its choice; see `detail`. */
  'refused',
  /** The certificate could not be stored in `DATA_DIR`. */
  'not_kept',
] as const;

const troubleSchema = z.strictObject({
  kind: z.enum(TROUBLES),
  /** The host name concerned, if there is one. */
  name: z.string().nullable(),
  port: z.int().nullable(),
  /** IP addresses of the name. */
  found: z.array(z.string()),
  /** IP addresses of this machine. */
  ours: z.array(z.string()),
  /** Message of the authority or the system. */
  detail: z.string().nullable(),
});
export type CertificateTrouble = z.infer<typeof troubleSchema>;

/** State of the certificate that the product requests automatically (HTTPS_DOMAIN). */
export const certificateSchema = z.strictObject({
  names: z.array(z.string()),
  /** Expiry of the certificate in use; null if there is none. */
  valid_until: z.iso.datetime().nullable(),
  /** Time of the next request to the authority; null if time alone doesn't help. */
  next_try: z.iso.datetime().nullable(),
  trouble: troubleSchema.nullable(),
});
export type CertificateState = z.infer<typeof certificateSchema>;

/** Results of an address check. */
export const ADDRESS_FINDINGS = [
  /** This installation. */
  'ours',
  /** The product, run by another installation. */
  'other_installation',
  /** The product, which doesn't know this name (PUBLIC_URL). */
  'wrong_host',
  /** Another server. */
  'not_ours',
  /** The name has no IP address. */
  'no_name',
  /** The connection was refused. */
  'refused',
  /** No answer within the timeout. */
  'silent',
  /** No connection for another reason. */
  'unreachable',
  /** A server answers, but not by https. */
  'no_https',
  /** Too many redirects. */
  'redirects',
] as const;

/** Flaws of a certificate. */
export const CERTIFICATE_FLAWS = ['expired', 'not_yet', 'other_name', 'self_signed', 'untrusted'] as const;

/** Behaviour of plain http under the same name. */
export const PLAIN_HTTP = [
  /** Redirects to https. */
  'leads',
  /** Answers directly, or redirects elsewhere. */
  'stays',
  /** No answer. */
  'silent',
] as const;

/** An http(s) address without path, query or password. */
const siteAddress = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .regex(/^https?:\/\/[^\s/@?#\\]+\/?$/);

const certificate = z.strictObject({
  valid_until: z.iso.datetime(),
  /** Issuer as named in the certificate. */
  issuer: z.string(),
  /** Names of the certificate, if the requested one isn't among them. */
  names: z.array(z.string()),
  /** null if the certificate is good. */
  flaw: z.enum(CERTIFICATE_FLAWS).nullable(),
});

const checkSchema = z.strictObject({
  /** Requested address, without a path. */
  address: z.string(),
  found: z.enum(ADDRESS_FINDINGS),
  /** Final address after redirects to another one; else null. */
  led_to: z.string().nullable(),
  /** IP address of the connection, or the first one of the name; null if there is none. */
  ip: z.string().nullable(),
  /** True if that is an address of this machine; the check then didn't pass the outer firewall. */
  own: z.boolean(),
  certificate: certificate.nullable(),
  /** null if not requested: the site has no https, or a non-default port. */
  http: z.enum(PLAIN_HTTP).nullable(),
});
export type AddressCheck = z.infer<typeof checkSchema>;

const siteAddressSchema = z.strictObject({
  /** PUBLIC_URL, or the first name of HTTPS_DOMAIN. */
  public_url: z.string().nullable(),
  /** Networks from which it opens; `none`: it isn't set. */
  reach: z.enum(['none', 'machine', 'network', 'public']),
  https: z.boolean(),
  /** Own https, a named proxy, or plain http. */
  served: z.enum(['own_https', 'proxy', 'plain']),
  /** Port for programs on this machine. */
  port: z.int(),
  /** True if it listens for other machines and accepts requests to this machine's address. */
  open_to_network: z.boolean(),
  /** This machine's network addresses, as hosts of a URL: IPv4 first, virtual networks last. */
  hosts: z.array(z.string()),
  version: z.string(),
  /** Run from a source checkout, or from a release. */
  installed: z.enum(['checkout', 'release']),
  windows: z.boolean(),
  /** DATA_DIR if it isn't the default, else null. */
  data_dir: z.string().nullable(),
});
export type SiteAddress = z.infer<typeof siteAddressSchema>;

/** Site address: state and checks. */
export const address = {
  read: adminCall('GET', '/admin/address', 'Where the site is found, and how it is served').output(
    siteAddressSchema,
  ),
  /** Requests an address as an external client would and returns the finding. One check at a time; others wait. */
  check: adminCall('POST', '/admin/address/check', 'Look from outside what an address leads to')
    .input(z.strictObject({ address: siteAddress }))
    .output(checkSchema),
  /** Proves that this installation answers: signs the nonce. Public. */
  proof: call('GET', '/site/proof', 'Which installation is this?')
    .input(z.strictObject({ nonce: z.string().regex(/^[\w-]{22}$/) }))
    .output(z.strictObject({ proof: z.string() })),
};

const commandErrors = errorMap('NOT_FOUND');

/** Services that carry visitors from the Internet to this computer. */
export const TUNNELS = ['cloudflare', 'tailscale'] as const;
export type TunnelName = (typeof TUNNELS)[number];

/** Reasons why sharing didn't start or doesn't work. */
export const SHARING_TROUBLES = [
  /** The program could not be downloaded. */
  'download',
  /** The downloaded file isn't the known program; it was deleted. */
  'checksum',
  /** The program could not be started. */
  'program',
  /** The program exited immediately, or repeatedly. */
  'ended',
  /** The program reported no address. */
  'no_address',
  /** The reported address isn't https. */
  'not_https',
  /** Tailscale's three ports are in use. */
  'ports',
  /** Nothing answers at the address from outside. */
  'unreachable',
  /** Another site answers there; sharing was stopped. */
  'other_site',
  /** The port that the tunnel forwards to is taken. */
  'port_taken',
] as const;
export type SharingTrouble = (typeof SHARING_TROUBLES)[number];

const sharingSchema = z.strictObject({
  /** False if PUBLIC_URL or HTTPS_DOMAIN sets the site address. */
  available: z.boolean(),
  tunnel: z.enum(TUNNELS),
  /** Step before the start: none, download of the program, or an installation by hand (the start then does nothing). */
  needs: z.enum(['nothing', 'download', 'install']),
  /** `reaching`: the address exists but isn't reachable from outside yet. */
  state: z.enum(['off', 'starting', 'reaching', 'online', 'trouble']),
  address: z.string().nullable(),
  /** True if the address stays the same after a restart. */
  keeps_address: z.boolean(),
  /** A published address that no longer opens. */
  lost_address: z.string().nullable(),
  /** Address to open first if the account must allow sharing. */
  enable: z.string().nullable(),
  trouble: z.enum(SHARING_TROUBLES).nullable(),
});
export type SharingState = z.infer<typeof sharingSchema>;

/** Sharing the surprise from this computer (decision 104). */
export const sharing = {
  read: adminCall('GET', '/admin/sharing', 'Is the surprise shared from this computer?').output(
    sharingSchema,
  ),
  /** Starts sharing and returns immediately; `read` returns the progress. Does nothing if it is already starting or running. */
  start: adminCall('POST', '/admin/sharing', 'Share the surprise from this computer').output(sharingSchema),
  /** Confirms that the new address was handed out too; the lost one is no longer reported. */
  given: adminCall('POST', '/admin/sharing/given', 'The new address was given out').output(sharingSchema),
  /** Same calls for `sorpresa share`, which sends a pass signed by this installation. */
  command: call('POST', '/site/sharing', 'Share the surprise, by a command on this computer')
    .input(z.strictObject({ action: z.enum(['read', 'start', 'stop']), pass: z.string().max(100) }))
    .output(sharingSchema)
    .errors(commandErrors),
  stop: adminCall('DELETE', '/admin/sharing', 'Share it no more').output(sharingSchema),
};
