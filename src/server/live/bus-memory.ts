import type { BusMessage, LiveBus } from './bus.ts';

/** Receives background errors of a bus: a listener that throws, an unreachable node. */
export type OnBusError = (error: unknown) => void;

/** Creates the bus of a single process. */
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
      // A separate object per subscription: the same function may subscribe twice.
      const subscription = { hear: listener };
      listeners.add(subscription);
      return () => void listeners.delete(subscription);
    },
    async close() {
      listeners.clear();
    },
  };
}
