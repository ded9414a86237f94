import type { BusMessage } from './bus.ts';

/** PostgreSQL refuses payloads of 8,000 bytes or more. */
const MAX_BYTES = 7_900;

type Envelope = { from: string; message: BusMessage };

/** The message as payloads that fit: a long list of sessions becomes several shorter ones. */
export function toPayloads(from: string, message: BusMessage): string[] {
  const payload = JSON.stringify({ from, message } satisfies Envelope);
  if (Buffer.byteLength(payload) <= MAX_BYTES) return [payload];
  if (message.type !== 'disconnected' || message.session_ids.length < 2) {
    throw new RangeError(`A message of type ${message.type} is too long for one notification`);
  }
  const half = Math.ceil(message.session_ids.length / 2);
  return [message.session_ids.slice(0, half), message.session_ids.slice(half)].flatMap((session_ids) =>
    toPayloads(from, { ...message, session_ids }),
  );
}

/** The message of a payload, or null when it is this node's own. */
export function fromPayload(self: string, payload: string): BusMessage | null {
  const { from, message } = JSON.parse(payload) as Envelope;
  return from === self ? null : message;
}
