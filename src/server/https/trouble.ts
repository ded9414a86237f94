import type { CertificateTrouble } from '../../contract/admin/site-address.ts';
import { errorCode } from '../db/errors.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import { localAddresses, resolveHost } from './addresses.ts';
import { AuthorityRefused, AuthorityUnreachable } from './authority.ts';
import { pointsElsewhere } from './rules.ts';

const NO_DETAILS = { name: null, port: null, found: [], ours: [], detail: null };

/** Returns the trouble of a port that can't be opened. */
export function portTrouble(port: number, error: unknown): CertificateTrouble {
  const code = errorCode(error);
  const kind = code === 'EACCES' ? 'port_refused' : code === 'EADDRINUSE' ? 'port_taken' : 'port_closed';
  return { ...NO_DETAILS, kind, port, detail: messageOf(error) };
}

/** Returns the trouble of a failed request, from the error of the authority or the system and from the names' addresses. */
export async function requestTrouble(error: unknown): Promise<CertificateTrouble> {
  const detail = messageOf(error);
  if (error instanceof StorageUnavailable) return { ...NO_DETAILS, kind: 'not_kept', detail };
  if (!(error instanceof AuthorityRefused))
    return {
      ...NO_DETAILS,
      kind: error instanceof AuthorityUnreachable ? 'authority_away' : 'refused',
      detail,
    };
  const { domain: name, status, type, retryAfter } = error;
  if (status === 429 || type === 'rateLimited' || (status === 503 && retryAfter !== null))
    return { ...NO_DETAILS, kind: 'wait', detail };
  if (status >= 500) return { ...NO_DETAILS, kind: 'authority_away', detail };
  if (name === null || !TARGET_PROBLEMS.has(type)) return { ...NO_DETAILS, kind: 'refused', name, detail };
  const found = await resolveHost(name);
  const ours = localAddresses();
  return { ...NO_DETAILS, kind: kindOf(type, found, ours), name, found, ours, detail };
}

/** Returns the trouble of a name before the first request; null if it points here or to an address that can't be compared. */
export async function nameTrouble(name: string): Promise<CertificateTrouble | null> {
  const found = await resolveHost(name);
  const ours = localAddresses();
  if (found.length === 0) return { ...NO_DETAILS, kind: 'no_address', name, found, ours };
  return pointsElsewhere(found, ours) ? { ...NO_DETAILS, kind: 'points_elsewhere', name, found, ours } : null;
}

/** Check failures caused by the target of the name (RFC 8555, section 6.7). */
const TARGET_PROBLEMS: ReadonlySet<string> = new Set([
  'dns',
  'connection',
  'unauthorized',
  'incorrectResponse',
  'tls',
]);

function kindOf(type: string, found: readonly string[], ours: readonly string[]): CertificateTrouble['kind'] {
  if (found.length === 0) return 'no_address';
  if (pointsElsewhere(found, ours)) return 'points_elsewhere';
  return type === 'connection' || type === 'dns' ? 'unreachable' : 'other_answers';
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500);
