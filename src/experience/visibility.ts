import type { AnyActorRef, AnyEventObject } from 'xstate';

type Parent = { getSnapshot(): { children: Record<string, AnyActorRef | undefined> } };

/** Passes a page event (hidden, shown, fonts) on to the running parts; those it doesn't concern ignore it. */
export function tellChildren({ self, event }: { self: Parent; event: AnyEventObject }): void {
  for (const child of Object.values(self.getSnapshot().children)) child?.send({ type: event.type });
}
