import type { AnyActorRef } from 'xstate';

type Parent = { getSnapshot(): { children: Record<string, AnyActorRef | undefined> } };

/** The running parts that a page event (hidden, shown, fonts) is passed on to; those it doesn't concern ignore it. */
export function childrenOf(self: Parent): AnyActorRef[] {
  return Object.values(self.getSnapshot().children).filter((child) => child !== undefined);
}
