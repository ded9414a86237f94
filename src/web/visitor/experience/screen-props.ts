import type { VisitActor } from '../../../experience/visit-machine.ts';

/** What every stage's screen is given. */
export type ScreenProps = { actor: VisitActor };
