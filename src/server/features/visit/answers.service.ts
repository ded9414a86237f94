import type { Visit } from '../../../contract/visit.ts';
import { tripOf, type Viaggio } from '../../../domain/content.ts';
import { type Answers, answersVerdict } from '../../../domain/stage-content.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import { type OpenVisit, type VisitUnavailable, withVisit } from './in-visit.ts';
import type { PageLoadId } from './page-life.ts';
import { codeName, updateSession } from './sessions.repo.ts';
import { insertAnswers } from './visit.repo.ts';
import { visitView } from './visit-view.ts';
import type { VisitorSession } from './visitor-session.ts';

type TripAnswersInput = Answers & { viaggio: Viaggio };
type AnswersRefusal = Refusal<'ANSWERS_REFUSED' | 'ANSWERS_CONFLICT'>;

/**
 * Stores both answers of a trip once its questions are reached. The first ones stay; repeating them is no error (a lost reply).
 * Other answers are refused. The notification is queued in the same transaction.
 * Answers that arrive after their page was closed are stored too, but don't reopen the visit.
 */
export function giveAnswers(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  session: VisitorSession,
  input: TripAnswersInput,
  pageLoadId?: PageLoadId,
): Promise<Visit | VisitUnavailable | AnswersRefusal> {
  const work = async (present: OpenVisit): Promise<Visit | AnswersRefusal> => {
    const { visitor } = present;
    const verdict = answersVerdict(visitor, input);
    if (verdict === 'new') return visitView(await store(present, input));
    return verdict === 'repeated' ? visitView(visitor) : refuse(verdict);
  };
  return withVisit(deps, session, pageLoadId, work, ['answers']);
}

async function store({ tx, visitor, now }: OpenVisit, input: TripAnswersInput): Promise<VisitorSession> {
  const { viaggio, risposta_1, risposta_2 } = input;
  const { id: session_id, token_value } = visitor;
  const first = await insertAnswers(tx, { session_id, token_value, viaggio, risposta_1, risposta_2 }, now);
  // The session's row has been locked since its answers were read.
  if (!first) throw new Error('Answers appeared while their session was held');
  await updateSession(tx, session_id, { exit_point: 'after_checkboxes' });
  await enqueueNotification(
    tx,
    {
      type: 'checkbox_response',
      token_value,
      risposta_1,
      risposta_2,
      viaggio,
      ...(await notificationContext(tx, visitor, viaggio)),
    },
    now,
  );
  return { ...visitor, answers: new Map([...visitor.answers, [viaggio, { risposta_1, risposta_2 }]]) };
}

/** Returns the context of the notification: the code's name and the visit's questions. */
async function notificationContext(tx: Db, { snapshot, token_id }: VisitorSession, viaggio: Viaggio) {
  const { domande: questions } = tripOf(snapshot, viaggio);
  const nome = await codeName(tx, token_id);
  if (questions === null) return { nome };
  const domande: [string, string] = [questions.domanda_1, questions.domanda_2];
  return { nome, domande };
}
