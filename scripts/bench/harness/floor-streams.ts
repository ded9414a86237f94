/** Bare event streams of both baselines. */
import { Hono } from 'hono';

/** Returns an app with streams at `/events`, and a function that sends a message to all of them. */
export function bareStreams(): { app: Hono; tellAll: () => void } {
  const text = new TextEncoder();
  const listeners = new Set<(said: string) => void>();
  const app = new Hono();
  app.get('/events', () => {
    let tell = (_said: string) => {};
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        tell = (said) => controller.enqueue(text.encode(said));
        listeners.add(tell);
        tell('event: ping\ndata: {}\n\n');
      },
      cancel: () => void listeners.delete(tell),
    });
    return new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } });
  });
  const tellAll = () => {
    for (const tell of listeners) tell('event: disconnected\ndata: {}\n\n');
  };
  return { app, tellAll };
}
