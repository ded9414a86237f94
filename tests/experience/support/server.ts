import type { Visit } from '../../../src/contract/visit.ts';
import type { Snapshot, Viaggio } from '../../../src/domain/content.ts';
import { itinerary } from '../../../src/domain/itinerary.ts';
import {
  type Answers,
  advance,
  type Position,
  START,
  visibleContent,
  visibleSong,
  visibleStepCount,
} from '../../../src/domain/stage-content.ts';
import type { CallResult, RefusalCode, TripAnswers } from '../../../src/experience/ports.ts';

/** `lost`: the request never arrives. `unanswered`: it is processed and the reply is lost. */
export type Network = 'up' | 'lost' | 'unanswered';

export type Server = ReturnType<typeof serverOf>;

/** The visit on the server: the domain's own rules with three variables. */
export function serverOf(snapshot: Snapshot, position: Position = START, storedAnswers: TripAnswers[] = []) {
  const steps = itinerary(snapshot);
  const answers = new Map<Viaggio, Answers>(storedAnswers.map(({ viaggio, ...rest }) => [viaggio, rest]));
  const state = {
    position,
    answers,
    completed: false,
    network: 'up' as Network,
    refuseAll: null as RefusalCode | null,
    calls: [] as string[],
    stored: [] as TripAnswers[],
  };

  function visit(): Visit {
    return {
      session_id: 'session',
      token_id: 'token',
      token_value: 'ROM-TEST',
      position: state.position,
      stages: visibleContent(snapshot, state.position, answers),
      complete: visibleStepCount(steps, state.position) === steps.length,
      answers: [...answers].map(([viaggio, both]) => ({ viaggio, ...both })),
      canzone_url: visibleSong(snapshot, state.position),
      recipient_name: null,
      dress: 'notte',
      sound_effects: true,
    };
  }

  async function call<T>(name: string, work: () => CallResult<T>): Promise<CallResult<T>> {
    state.calls.push(name);
    if (state.network === 'lost') return { ok: false, code: 'NETWORK' };
    if (state.refuseAll !== null) return { ok: false, code: state.refuseAll };
    const result = state.completed ? ({ ok: false, code: 'VISIT_ENDED' } as const) : work();
    return state.network === 'unanswered' ? { ok: false, code: 'NETWORK' } : result;
  }

  function takePosition(reported: Position): CallResult<Visit> {
    const verdict = advance(steps, state.position, reported, new Set(answers.keys()));
    if (verdict.kind === 'refused') return { ok: false, code: 'STEP_REFUSED' };
    if (verdict.kind === 'moved') state.position = verdict.position;
    return { ok: true, value: visit() };
  }

  function takeAnswers({ viaggio, ...both }: TripAnswers): CallResult<Visit> {
    const stored = answers.get(viaggio);
    const same = stored?.risposta_1 === both.risposta_1 && stored?.risposta_2 === both.risposta_2;
    if (stored !== undefined && !same) return { ok: false, code: 'ANSWERS_CONFLICT' };
    const at = steps[state.position.step];
    if (stored === undefined && !(at?.stage === 'questions' && at.viaggio === viaggio)) {
      return { ok: false, code: 'ANSWERS_REFUSED' };
    }
    if (stored === undefined) state.stored.push({ viaggio, ...both });
    answers.set(viaggio, both);
    return { ok: true, value: visit() };
  }

  function close(): CallResult<unknown> {
    if (state.position.step !== steps.length - 1) return { ok: false, code: 'STEP_REFUSED' };
    state.completed = true;
    return { ok: true, value: {} };
  }

  return {
    steps,
    state,
    visit,
    resume: () => call('resume', () => ({ ok: true, value: visit() })),
    position: (reported: Position) => call('position', () => takePosition(reported)),
    answers: (sent: TripAnswers) => call('answers', () => takeAnswers(sent)),
    complete: () => call('complete', close),
  };
}
