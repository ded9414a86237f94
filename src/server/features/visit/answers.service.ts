import type { Visit } from '../../../contract/visit.ts';
import type { Answers } from '../../../domain/closing.ts';
import { tripOf, type Viaggio } from '../../../domain/content.ts';
import { answersVerdict } from '../../../domain/visit-rules.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Refusal } from '../../refused.ts';
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
 * Stores both answers of a trip, once: the first ones stay. The same ones again are no error (a reply that got lost), others are refused.
 * Only once the trip's questions are reached. The administrator is told in the same transaction.
 * They are as good when the page's farewell overtook them; that doesn't open the visit again.
 */
export function giveAnswers(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  session: VisitorSession,
  given: TripAnswersInput,
  life?: PageLoadId,
): Promise<Visit | VisitUnavailable | AnswersRefusal> {
  const work = async (present: OpenVisit): Promise<Visit | AnswersRefusal> => {
    const { visitor } = present;
    const verdict = answersVerdict(visitor, given);
    if (verdict === 'new') return visitView(await store(present, given));
    return verdict === 'repeated' ? visitView(visitor) : { refused: verdict };
  };
  return withVisit(deps, session, life, work, ['answers']);
}

async function store({ tx, visitor, now }: OpenVisit, given: TripAnswersInput): Promise<VisitorSession> {
  const { viaggio, risposta_1, risposta_2 } = given;
  const { id: session_id, token_value } = visitor;
  const first = await insertAnswers(tx, { session_id, token_value, viaggio, risposta_1, risposta_2 }, now);
  // The session's row is held: nobody else can have answered since its answers were read.
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
      ...(await told(tx, visitor, viaggio)),
    },
    now,
  );
  return { ...visitor, answers: new Map([...visitor.answers, [viaggio, { risposta_1, risposta_2 }]]) };
}

/** Of whom and of what the message speaks: the code's name and the questions that were asked. */
async function told(tx: Db, { snapshot, token_id }: VisitorSession, viaggio: Viaggio) {
  const { domande: asked } = tripOf(snapshot, viaggio);
  const nome = await codeName(tx, token_id);
  if (asked === null) return { nome };
  const domande: [string, string] = [asked.domanda_1, asked.domanda_2];
  return { nome, domande };
}
