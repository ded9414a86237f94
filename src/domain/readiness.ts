import {
  type Checks,
  codeChecks,
  fileChecks,
  firstTripChecks,
  incompleteChecks,
  type Preparation,
  proxyChecks,
  requiredNow,
  secondTripChecks,
  settingsChecks,
} from './readiness-checks.ts';
import {
  READINESS_IDS,
  READINESS_PAGE,
  type ReadinessId,
  type ReadinessItem,
  type ReadinessState,
} from './readiness-ids.ts';

/** Returns the readiness items: required, recommended, and complete ones. */
export function readiness(preparation: Preparation, now: Date): ReadinessItem[] {
  const states: ItemStates = {
    ...withMissingState('missing', requiredNow(preparation, now)),
    ...withMissingState('advice', firstTripChecks(preparation)),
    ...withMissingState('advice', secondTripChecks(preparation)),
    ...withMissingState('advice', settingsChecks(preparation)),
    ...withMissingState('warning', codeChecks(preparation, now)),
    ...withMissingState('warning', proxyChecks(preparation)),
    ...withMissingState('warning', fileChecks(preparation)),
    ...withMissingState('warning', incompleteChecks(preparation)),
  };
  return READINESS_IDS.flatMap((id) => {
    const state = states[id];
    return state === undefined ? [] : [{ id, state, page: READINESS_PAGE[id] }];
  });
}

type ItemStates = Partial<Record<ReadinessId, ReadinessState>>;

function withMissingState(state: ReadinessState, checks: Checks): ItemStates {
  return Object.fromEntries(Object.entries(checks).map(([id, isReady]) => [id, isReady ? 'ready' : state]));
}
