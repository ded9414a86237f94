/** A live stream of a visit, as it is heard through a proxy. */
export type Hearing = {
  /** Has this been said? Waits until it is, or the stream has ended. */
  until(words: string): Promise<boolean>;
  /** When these words came first, by `performance.now()`. */
  at(words: string): number | undefined;
  /** Settles when the stream is over, however that came. */
  over: Promise<void>;
  close(): void;
};

/** Opens one; resolves when its head is there, rejects when it is none. */
export async function hear(url: string, cookie: string): Promise<Hearing> {
  const stop = new AbortController();
  const response = await fetch(`${url}/api/visit/events`, { headers: { cookie }, signal: stop.signal });
  const type = response.headers.get('content-type') ?? '';
  if (response.status !== 200 || response.body === null || !type.startsWith('text/event-stream'))
    throw new Error(`The live stream answers ${response.status} ${type}`);
  const parts: { at: number; text: string }[] = [];
  let told = Promise.withResolvers<void>();
  let isOver = false;
  const tell = () => {
    told.resolve();
    told = Promise.withResolvers();
  };
  const { body } = response;
  const read = async () => {
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      parts.push({ at: performance.now(), text });
      tell();
    }
  };
  const over = read()
    .catch(() => undefined)
    .then(() => {
      isOver = true;
      tell();
    });
  const at = (words: string) => parts.find(({ text }) => text.includes(words))?.at;
  return {
    async until(words) {
      while (at(words) === undefined && !isOver) await told.promise;
      return at(words) !== undefined;
    },
    at,
    over,
    close: () => stop.abort(),
  };
}
