/** A visit's event stream, received through a proxy. */
export type EventStreamReader = {
  /** Waits until the stream contains this text or has ended. Returns true if it contains it. */
  until(words: string): Promise<boolean>;
  /** Time of the first occurrence of this text, by `performance.now()`. */
  at(words: string): number | undefined;
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
  const parts: { at: number; text: string }[] = [];
  let received = Promise.withResolvers<void>();
  let isOver = false;
  const notify = () => {
    received.resolve();
    received = Promise.withResolvers();
  };
  const { body } = response;
  const read = async () => {
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      parts.push({ at: performance.now(), text });
      notify();
    }
  };
  const over = read()
    .catch(() => undefined)
    .then(() => {
      isOver = true;
      notify();
    });
  const at = (words: string) => parts.find(({ text }) => text.includes(words))?.at;
  return {
    async until(words) {
      while (at(words) === undefined && !isOver) await received.promise;
      return at(words) !== undefined;
    },
    at,
    over,
    close: () => stop.abort(),
  };
}
