import type { BusMessage, LiveBus } from './bus.ts';

/** Told of what goes wrong behind a bus: a listener that throws, another node that can't be reached. */
export type OnBusError = (error: unknown) => void;

/** The bus of a single process. */
export function memoryLiveBus(onError: OnBusError): LiveBus {
  const listeners = new Set<{ hear: (message: BusMessage) => void }>();
  const tell = (message: BusMessage) => {
    for (const { hear } of listeners) {
      try {
        hear(message);
      } catch (error) {
        onError(error);
      }
    }
  };
  return {
    shared: false,
    isReceiving: () => true,
    publish: async (message) => tell(message),
    publishInTransaction: async (_tx, message) => () => tell(message),
    subscribe(listener) {
      // An object of its own for each subscription: the same function may subscribe twice.
      const subscription = { hear: listener };
      listeners.add(subscription);
      return () => void listeners.delete(subscription);
    },
    async close() {
      listeners.clear();
    },
  };
}
