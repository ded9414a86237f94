import { setTimeout as delay } from 'node:timers/promises';

/** A visit's event stream, received through a proxy. */
export type EventStreamReader = {
  /** Returns the text received up to now. */
  text(): string;
  /** Waits until the stream contains this text or has ended. Returns true if it contains it. */
  until(words: string): Promise<boolean>;
  /** Resolves when the stream has ended for any reason. */
  over: Promise<void>;
  close(): void;
};

/** Opens a stream. Resolves after its head; rejects if the reply isn't an event stream. */
export async function openEventStream(url: string, cookie: string): Promise<EventStreamReader> {
  const stop = new AbortController();
  const response = await fetch(`${url}/api/visit/events`, { headers: { cookie }, signal: stop.signal });
  const type = response.headers.get('content-type') ?? '';
  if (response.status !== 200 || response.body === null || !type.startsWith('text/event-stream'))
    throw new Error(`The live stream answers ${response.status} ${type}`);
  let [received, isOver] = ['', false];
  const { body } = response;
  const read = async () => {
    for await (const text of body.pipeThrough(new TextDecoderStream())) received += text;
  };
  const over = read()
    .catch(() => undefined)
    .then(() => void (isOver = true));
  return {
    text: () => received,
    async until(words) {
      while (!received.includes(words) && !isOver) await delay(10);
      return received.includes(words);
    },
    over,
    close: () => stop.abort(),
  };
}
