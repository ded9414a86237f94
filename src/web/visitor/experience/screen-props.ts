import type { VisitActor } from '../../../experience/visit-machine.ts';

/** Props of every stage's screen. */
export type ScreenProps = { actor: VisitActor };
