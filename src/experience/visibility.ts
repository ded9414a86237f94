import type { AnyActorRef } from 'xstate';

type Parent = { getSnapshot(): { children: Record<string, AnyActorRef | undefined> } };

/** Returns the running child actors that receive page events (hidden, shown, fonts); they ignore irrelevant ones. */
export function childrenOf(self: Parent): AnyActorRef[] {
  return Object.values(self.getSnapshot().children).filter((child) => child !== undefined);
}
