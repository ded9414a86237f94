/** What became of a message. `error` is the service's own answer or the kind of network failure; no secret is ever in it. */
export type Delivery =
  /** `answer`: what the service said, or what tells that it has it. */
  | { kind: 'sent'; answer: string }
  /** The service asks to wait, in seconds. */
  | { kind: 'limited'; retry_after: number; error: string }
  /** This message, or whom it is for, is refused: others may fare better. */
  | { kind: 'refused'; error: string }
  /** Nothing can be sent at present: network, the service itself, or how we sign in. `uncertain`: the message may have arrived all the same. */
  | { kind: 'failed'; error: string; uncertain: boolean };

export type Unsent = Exclude<Delivery, { kind: 'sent' }>;

/**
 * `patience`: how long to wait for the answer, in ms. `signal` gives the sending up at once: whether it arrived stays uncertain.
 */
export type Sending = { patience?: number; signal?: AbortSignal | undefined };

const LONGEST_ERROR = 300;

/** What may be told of an answer: no secret in it, at most 300 signs. */
export function tellable(answer: string, secrets: readonly string[]): string {
  const told = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), answer);
  return told.slice(0, LONGEST_ERROR);
}
