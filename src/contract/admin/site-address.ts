import { oc } from '@orpc/contract';
import { z } from 'zod';
import { signInErrors } from './sign-in-errors.ts';

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
  read: oc
    .route({
      method: 'GET',
      path: '/admin/address',
      summary: 'Where the site is found, and how it is served',
    })
    .output(siteAddressSchema)
    .errors(signInErrors),
  /** Requests an address as an external client would and returns the finding. One check at a time; others wait. */
  check: oc
    .route({
      method: 'POST',
      path: '/admin/address/check',
      summary: 'Look from outside what an address leads to',
    })
    .input(z.strictObject({ address: siteAddress }))
    .output(checkSchema)
    .errors(signInErrors),
  /** Proves that this installation answers: signs the nonce. Public. */
  proof: oc
    .route({ method: 'GET', path: '/site/proof', summary: 'Which installation is this?' })
    .input(z.strictObject({ nonce: z.string().regex(/^[\w-]{22}$/) }))
    .output(z.strictObject({ proof: z.string() })),
};
