import type { ChannelState } from '../../../domain/readiness-probes.ts';

/** What became of a message. `error` is the service's own answer or the kind of network failure; no secret is ever in it. */
export type Delivery =
  /** `answer`: what the service said, or what tells that it has it. */
  | { kind: 'sent'; answer: string }
  /** The service asks to wait, in seconds. */
  | { kind: 'limited'; retry_after: number; error: string }
  /** This message, or whom it is for, is refused: others may fare better. `moved_to`: the chat has another id now. */
  | { kind: 'refused'; error: string; moved_to?: string }
  /** Nothing can be sent at present: network, the service itself, or how we sign in. `uncertain`: the message may have arrived all the same. */
  | { kind: 'failed'; error: string; uncertain: boolean };

export type FailedDelivery = Exclude<Delivery, { kind: 'sent' }>;

/**
 * `patience`: how long to wait for the answer, in ms. `signal` gives the sending up at once: whether it arrived stays uncertain.
 */
export type SendOptions = { patience?: number; signal?: AbortSignal | undefined };

/** How a service stands that was asked and sent nothing; `told`: the time that it gave, or null. */
export type ChannelCheck = { state: Exclude<ChannelState, 'unset' | 'untried'>; told: Date | null };

/** The time somewhere in a service's words, as mail and the web write it (RFC 5322, RFC 9110). */
export function parseDate(words: string | null): Date | null {
  const written = /\b(\w{3}, )?\d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d( GMT| [+-]\d{4})/.exec(words ?? '')?.[0];
  const moment = new Date(written ?? '');
  return Number.isNaN(moment.getTime()) ? null : moment;
}

const LONGEST_ERROR = 300;

/** What may be told of an answer: no secret in it, at most 300 signs. */
export function redactSecrets(answer: string, secrets: readonly string[]): string {
  const told = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), answer);
  return told.slice(0, LONGEST_ERROR);
}
