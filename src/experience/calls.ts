import { fromPromise } from 'xstate';
import type { Visit } from '../contract/visit.ts';
import type { Viaggio } from '../domain/content.ts';
import type { VisitEvent } from './events.ts';
import type { CallResult, ChosenAnswers, ExperiencePorts } from './ports.ts';

type Ports = { ports: ExperiencePorts };
type AnswersInput = Ports & { viaggio: Viaggio; chosen: ChosenAnswers };

/** Server calls of the visit chart. Each resolves with an event and never rejects. */
export const resumeVisit = fromPromise<VisitEvent, Ports>(({ input }) =>
  eventOf(() => input.ports.resume(), loaded),
);

export const sendAnswers = fromPromise<VisitEvent, AnswersInput>(({ input: { ports, viaggio, chosen } }) => {
  const { risposta_1 = false, risposta_2 = false } = chosen;
  return eventOf(() => ports.sendAnswers({ viaggio, risposta_1, risposta_2 }), content);
});

export const completeVisit = fromPromise<VisitEvent, Ports>(({ input }) =>
  eventOf(
    () => input.ports.complete(),
    () => ({ type: 'COMPLETED' }),
  ),
);

const loaded = (visit: Visit): VisitEvent => ({ type: 'LOADED', visit });
const content = (visit: Visit): VisitEvent => ({ type: 'CONTENT', visit });

async function eventOf<T>(
  call: () => Promise<CallResult<T>>,
  success: (value: T) => VisitEvent,
): Promise<VisitEvent> {
  try {
    const result = await call();
    return result.ok ? success(result.value) : refused(result);
  } catch {
    return { type: 'TRY_FAILED', code: 'INTERNAL' };
  }
}

/** Maps a refusal to an event. Refusals that end the visit concern the whole chart; the caller may retry the others. */
function refused({ code, disconnection }: Extract<CallResult<unknown>, { ok: false }>): VisitEvent {
  switch (code) {
    case 'DISCONNECTED':
      return { type: 'DISCONNECTED', reason: 'token_revoked', contatto: null, ...disconnection };
    case 'NO_VISIT':
    case 'VISIT_ENDED':
    case 'CONFIG_MISSING':
    case 'VIDEO_MISSING':
      return { type: 'LOAD_FAILED', code };
    default:
      return { type: 'TRY_FAILED', code };
  }
}
