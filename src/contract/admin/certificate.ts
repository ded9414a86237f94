import { z } from 'zod';

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
