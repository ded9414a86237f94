import {
  around,
  type Checks,
  files,
  firstTrip,
  halfDone,
  handedOver,
  neededNow,
  type Preparation,
  secondTrip,
  toldApart,
} from './readiness-checks.ts';
import {
  READINESS_IDS,
  READINESS_PAGE,
  type ReadinessId,
  type ReadinessItem,
  type ReadinessState,
} from './readiness-ids.ts';

/** How far the surprise is prepared: what it can't do without, what it would be better with, and what is there. */
export function readiness(preparation: Preparation, now: Date): ReadinessItem[] {
  const found: Findings = {
    ...lackingIs('missing', neededNow(preparation, now)),
    ...lackingIs('advice', firstTrip(preparation)),
    ...lackingIs('advice', secondTrip(preparation)),
    ...lackingIs('advice', around(preparation)),
    ...lackingIs('warning', handedOver(preparation, now)),
    ...lackingIs('warning', toldApart(preparation)),
    ...lackingIs('warning', files(preparation)),
    ...lackingIs('warning', halfDone(preparation)),
  };
  return READINESS_IDS.flatMap((id) => {
    const state = found[id];
    return state === undefined ? [] : [{ id, state, page: READINESS_PAGE[id] }];
  });
}

type Findings = Partial<Record<ReadinessId, ReadinessState>>;

function lackingIs(state: ReadinessState, checks: Checks): Findings {
  return Object.fromEntries(Object.entries(checks).map(([id, there]) => [id, there ? 'ready' : state]));
}
