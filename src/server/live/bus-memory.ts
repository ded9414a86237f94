import type { BusMessage, LiveBus } from './bus.ts';

/** Receives background errors of a bus: a listener that throws, an unreachable node. */
export type OnBusError = (error: unknown) => void;

/** Creates the bus of a single process. */
export function memoryLiveBus(onError: OnBusError): LiveBus {
  const listeners = new Set<{ onMessage: (message: BusMessage) => void }>();
  const notifyAll = (message: BusMessage) => {
    for (const { onMessage } of listeners) {
      try {
        onMessage(message);
      } catch (error) {
        onError(error);
      }
    }
  };
  return {
    shared: false,
    isReceiving: () => true,
    publish: async (message) => notifyAll(message),
    publishInTransaction: async (_tx, message) => () => notifyAll(message),
    subscribe(listener) {
      // A separate object per subscription: the same function may subscribe twice.
      const subscription = { onMessage: listener };
      listeners.add(subscription);
      return () => void listeners.delete(subscription);
    },
    async close() {
      listeners.clear();
    },
  };
}
