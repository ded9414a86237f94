import type { ChannelState } from '../../../domain/readiness-verdict.ts';

export type OutgoingMessage = {
  text: string;
  /** Stays equal across attempts, so that mail programs detect duplicates. */
  id: string;
};

/** Result of a sending. `error` is the service's reply or the kind of network failure; it never contains a secret. */
export type Delivery =
  /** `answer`: the service's reply, or an id that proves the acceptance. */
  | { kind: 'sent'; answer: string }
  /** The service requests a wait, in seconds. */
  | { kind: 'limited'; retry_after: number; error: string }
  /** This message or its recipient is refused; others may succeed. `moved_to`: new id of the chat. */
  | { kind: 'refused'; error: string; moved_to?: string }
  /** Nothing can be sent at present: network, service or authentication fails. `uncertain`: the message may have arrived. */
  | { kind: 'failed'; error: string; uncertain: boolean };

export type FailedDelivery = Exclude<Delivery, { kind: 'sent' }>;

/** Returns a signal that aborts after `ms`, or with the caller's signal. */
export const limitOf = (ms: number, signal?: AbortSignal): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])]);

/** State of a service that was checked without sending; `told`: the service's time, or null. */
export type ChannelCheck = { state: Exclude<ChannelState, 'unset' | 'untried'>; told: Date | null };

/** Parses the first date in a reply, in the format of mail and HTTP (RFC 5322, RFC 9110); null if there is none. */
export function parseDate(reply: string | null): Date | null {
  const written = /\b(\w{3}, )?\d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d( GMT| [+-]\d{4})/.exec(reply ?? '')?.[0];
  const moment = new Date(written ?? '');
  return Number.isNaN(moment.getTime()) ? null : moment;
}

const MAX_ERROR_LENGTH = 300;

/** Removes secrets from a reply and truncates it to 300 characters. */
export function redactSecrets(answer: string, secrets: readonly string[]): string {
  const redacted = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), answer);
  return redacted.slice(0, MAX_ERROR_LENGTH);
}
