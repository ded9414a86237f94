import { z } from 'zod';

/** Why there is no certificate, or why the one there is couldn't be renewed. */
export const TROUBLES = [
  /** The name has no address. */
  'no_address',
  /** It has addresses, and none of them is this machine's. */
  'points_elsewhere',
  /** The authority got no answer on port 80. */
  'unreachable',
  /** Somebody else answered there. */
  'other_answers',
  /** This user may not listen on a port. */
  'port_refused',
  /** Another program listens there. */
  'port_taken',
  /** It can't be listened on for another reason. */
  'port_closed',
  /** The authority says that it has to be waited. */
  'wait',
  /** The authority doesn't answer, or says that it is out of order. */
  'authority_away',
  /** The authority said no, in its own words. */
  'refused',
  /** The certificate couldn't be kept in `DATA_DIR`. */
  'not_kept',
] as const;

const troubleSchema = z.strictObject({
  kind: z.enum(TROUBLES),
  /** The name it is about, where it is about one. */
  name: z.string().nullable(),
  port: z.int().nullable(),
  /** The addresses that the name has. */
  found: z.array(z.string()),
  /** This machine's own. */
  ours: z.array(z.string()),
  /** What the authority or the system said. */
  detail: z.string().nullable(),
});
export type CertificateTrouble = z.infer<typeof troubleSchema>;

/** How the certificate stands that the product asks for by itself (HTTPS_DOMAIN). */
export const certificateSchema = z.strictObject({
  names: z.array(z.string()),
  /** The one that is served is good until then; null: there is none. */
  valid_until: z.iso.datetime().nullable(),
  /** When the authority is asked again; null where that isn't a matter of time. */
  next_try: z.iso.datetime().nullable(),
  trouble: troubleSchema.nullable(),
});
export type CertificateState = z.infer<typeof certificateSchema>;
