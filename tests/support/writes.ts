import { itinerary } from '../../src/domain/itinerary.ts';
import { NO_SECOND_TRIP, snapshotOf } from './evenings.ts';
import type { Random } from './random.ts';

const STEPS = itinerary(snapshotOf(NO_SECOND_TRIP));
const QUESTIONS = STEPS.findIndex(({ stage }) => stage === 'questions');

/** Expected stored state of a visit, according to all acknowledged requests. */
export type Model = {
  code: { id: string; token: string };
  attempt_id: string;
  device_id: string;
  /** null before it has started. */
  row: Row | null;
  answers: { risposta_1: boolean; risposta_2: boolean } | null;
};
export type Row = {
  step: number;
  phrase: number;
  second: number;
  exit_seq: number;
  is_active: boolean;
  completed: boolean;
};

/**
 * One request with its expected reply and the stored state after it. Repeating it gives the same reply and changes
 * nothing more.
 */
export type Write = {
  path: string;
  body: unknown;
  /** Expected status; a refusal only records the visitor's presence. */
  answered: number;
  after: Model;
};

/** Returns a visitor's next request at random: mostly the expected one, sometimes one that must be refused. */
export function nextWrite(model: Model, random: Random): Write {
  const { row } = model;
  if (row === null) return enter(model);
  const dice = random.int(20);
  if (dice === 0) return refused(model, '/visit/position', { ...at(row), step: row.step + 2 });
  if (dice === 2 && row.is_active) return leave(model, row);
  if (dice === 3 && row.step < QUESTIONS)
    return refused(model, '/visit/answers', { viaggio: 1, ...someAnswers(random) });
  if (row.step === STEPS.length - 1) return complete(model, row);
  if (row.step === QUESTIONS && model.answers === null) return answer(model, someAnswers(random));
  if (dice < 7 && model.answers !== null) {
    const { risposta_1, risposta_2 } = model.answers;
    return refused(model, '/visit/answers', { viaggio: 1, risposta_1: !risposta_1, risposta_2 });
  }
  return move(model, row, random);
}

const at = ({ step, phrase, second }: Row) => ({ step, phrase, second });
const someAnswers = (random: Random) => ({
  risposta_1: random.int(2) === 0,
  risposta_2: random.int(2) === 0,
});

function enter(model: Model): Write {
  const { code, attempt_id, device_id } = model;
  const row = { step: 0, phrase: 0, second: 0, exit_seq: -1, is_active: true, completed: false };
  const body = { token: code.token, attempt_id, device_id };
  return { path: '/access', body, answered: 200, after: { ...model, row } };
}

function move(model: Model, row: Row, random: Random): Write {
  const within = { step: row.step, phrase: row.phrase + 1, second: random.int(60) };
  const position = random.int(3) === 0 ? within : { step: row.step + 1, phrase: 0, second: 0 };
  const after = { ...model, row: { ...row, ...position, is_active: true } };
  return { path: '/visit/position', body: position, answered: 200, after };
}

function answer(model: Model, answers: NonNullable<Model['answers']>): Write {
  const after = { ...model, answers, row: { ...(model.row as Row), is_active: true } };
  return { path: '/visit/answers', body: { viaggio: 1, ...answers }, answered: 200, after };
}

function leave(model: Model, row: Row): Write {
  const exit_seq = row.exit_seq + 1;
  const report = { state: 'closed', exitPoint: 'during_post_phrases', timestamp: new Date().toISOString() };
  const after = { ...model, row: { ...row, exit_seq, is_active: false } };
  return { path: '/visit/track-user-exit', body: { ...report, seq: exit_seq }, answered: 204, after };
}

function complete(model: Model, row: Row): Write {
  const after = { ...model, row: { ...row, is_active: false, completed: true } };
  return { path: '/visit/complete', body: {}, answered: 200, after };
}

function refused(model: Model, path: string, body: unknown): Write {
  return {
    path,
    body,
    answered: 409,
    after: { ...model, row: { ...(model.row as Row), is_active: true } },
  };
}
