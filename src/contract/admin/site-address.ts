import { oc } from '@orpc/contract';
import { z } from 'zod';
import { signInErrors } from './sign-in-errors.ts';

/** What was found at an address. */
export const ADDRESS_FINDINGS = [
  /** This very installation. */
  'ours',
  /** The product, prepared by another installation. */
  'other_installation',
  /** The product, which doesn't know this name (PUBLIC_URL). */
  'wrong_host',
  /** Something else. */
  'not_ours',
  /** The name has no address. */
  'no_name',
  /** Nobody listens there. */
  'refused',
  /** Nobody answered in time. */
  'silent',
  /** No connection for another reason. */
  'unreachable',
  /** Somebody answers, but not in https. */
  'no_https',
  /** It leads on and on. */
  'redirects',
] as const;

/** What is wrong with a certificate. */
export const CERTIFICATE_FLAWS = ['expired', 'not_yet', 'other_name', 'self_signed', 'untrusted'] as const;

/** What plain http does under the same name. */
export const PLAIN_HTTP = [
  /** It leads to https. */
  'leads',
  /** It answers by itself, or leads elsewhere. */
  'stays',
  /** Nobody answers. */
  'silent',
] as const;

/** An http(s) address without a path, a question or a password. */
const siteAddress = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .regex(/^https?:\/\/[^\s/@?#\\]+\/?$/);

const certificate = z.strictObject({
  valid_until: z.iso.datetime(),
  /** Who gave it, as it says itself. */
  issuer: z.string(),
  /** The names it is for, where it isn't for this one. */
  names: z.array(z.string()),
  /** null: it is good. */
  flaw: z.enum(CERTIFICATE_FLAWS).nullable(),
});

const checkSchema = z.strictObject({
  /** What was asked for, without a path. */
  address: z.string(),
  found: z.enum(ADDRESS_FINDINGS),
  /** Where that is, if the address led on to another; else null. */
  led_to: z.string().nullable(),
  /** The IP address that was connected to, or the first one of the name; null where there is none. */
  ip: z.string().nullable(),
  /** Is that this machine's own? Then no firewall before it was passed. */
  own: z.boolean(),
  certificate: certificate.nullable(),
  /** null: it wasn't asked (the site has no https, or a port of its own). */
  http: z.enum(PLAIN_HTTP).nullable(),
});
export type AddressCheck = z.infer<typeof checkSchema>;

const siteAddressSchema = z.strictObject({
  /** PUBLIC_URL, or the first name of HTTPS_DOMAIN. */
  public_url: z.string().nullable(),
  /** From where that opens; `none`: it isn't set. */
  reach: z.enum(['none', 'machine', 'network', 'public']),
  https: z.boolean(),
  /** How it is served: by https of its own, behind a proxy that is named, or plainly. */
  served: z.enum(['own_https', 'proxy', 'plain']),
  /** The port that this machine's programs reach it at. */
  port: z.int(),
  /** Does it listen for other machines, and take what they ask by this machine's address? */
  open_to_network: z.boolean(),
  /** This machine's addresses in its networks, as hosts of a URL: IPv4 first, those of virtual networks last. */
  hosts: z.array(z.string()),
  version: z.string(),
  /** How it is started: out of its source, or as released. */
  installed: z.enum(['checkout', 'release']),
  windows: z.boolean(),
  /** DATA_DIR where it isn't the usual one. */
  data_dir: z.string().nullable(),
});
export type SiteAddress = z.infer<typeof siteAddressSchema>;

/** Where the site is found. */
export const address = {
  read: oc
    .route({
      method: 'GET',
      path: '/admin/address',
      summary: 'Where the site is found, and how it is served',
    })
    .output(siteAddressSchema)
    .errors(signInErrors),
  /** Asks an address as a stranger would, and says what is there. One at a time; others wait. */
  check: oc
    .route({
      method: 'POST',
      path: '/admin/address/check',
      summary: 'Look from outside what an address leads to',
    })
    .input(z.strictObject({ address: siteAddress }))
    .output(checkSchema)
    .errors(signInErrors),
  /** Shows that it is this installation that answers: what was asked, under its seal. Anybody may ask. */
  proof: oc
    .route({ method: 'GET', path: '/site/proof', summary: 'Which installation is this?' })
    .input(z.strictObject({ nonce: z.string().regex(/^[\w-]{22}$/) }))
    .output(z.strictObject({ proof: z.string() })),
};
