/** Bare event streams of both baselines. */
import { Hono } from 'hono';

/** Returns an app with streams at `/events`, and a function that sends a message to all of them. */
export function bareStreams(): { app: Hono; tellAll: () => void } {
  const text = new TextEncoder();
  const listeners = new Set<(message: string) => void>();
  const app = new Hono();
  app.get('/events', () => {
    let send = (_message: string) => {};
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (message) => controller.enqueue(text.encode(message));
        listeners.add(send);
        send('event: ping\ndata: {}\n\n');
      },
      cancel: () => void listeners.delete(send),
    });
    return new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } });
  });
  const tellAll = () => {
    for (const send of listeners) send('event: disconnected\ndata: {}\n\n');
  };
  return { app, tellAll };
}
