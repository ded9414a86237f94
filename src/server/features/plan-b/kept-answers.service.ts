import { createECDH, hkdfSync, randomBytes, type webcrypto } from 'node:crypto';
import { type KeptAnswers, keptAnswersSchema } from '../../../contract/plan-b.ts';
import type { Viaggio } from '../../../domain/content.ts';
import { itinerary, type Step } from '../../../domain/itinerary.ts';
import { openAnswers } from '../../../sealed/answers.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { countVisit } from '../../event-log/visit-counts.repo.ts';
import { announce } from '../../live/announce.ts';
import { isRefused, type Refused } from '../../refused.ts';
import { findConfig } from '../config/config.repo.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import { lockToken } from '../tokens/tokens.repo.ts';
import { lockSession, type SessionRow, updateSession } from '../visit/sessions.repo.ts';
import { storedForm, takeSnapshot } from '../visit/snapshot.ts';
import { keepSnapshot } from '../visit/snapshots.repo.ts';
import { insertAnswers } from '../visit/visit.repo.ts';
import { insertWithoutSite } from './kept-answers.repo.ts';

type Trip = KeptAnswers['answers'][number];
type Token = NonNullable<Awaited<ReturnType<typeof lockToken>>>;
type Refusal = Refused<'PLAN_B_UNREADABLE' | 'PLAN_B_CODE_GONE'>;

/**
 * Stores what was answered without the site as a visit of its own, which spends no use of its code: once, however often it comes. Of a code that was
 * revoked or deleted nothing is taken. The administrator is told in the same transaction.
 */
export async function bringAnswers(
  deps: Pick<Deps, 'inTransaction' | 'secret' | 'now' | 'live' | 'log'>,
  { sealed, user_agent }: { sealed: string; user_agent: string },
): Promise<object | Refusal> {
  const told = await openedBy(deps.secret, sealed);
  if (told === null) return { refused: 'PLAN_B_UNREADABLE' };
  const stored = await deps.inTransaction((tx) => store(tx, { told, user_agent, now: deps.now() }));
  if (isRefused(stored)) return stored;
  announce(deps, 'sessions', 'answers');
  return {};
}

async function openedBy(secret: Buffer, sealed: string): Promise<KeptAnswers | null> {
  const opened = await openAnswers(siteKey(secret).jwk, Buffer.from(sealed, 'base64url')).catch(() => null);
  const read = keptAnswersSchema.safeParse(opened);
  return read.success ? read.data : null;
}

type Told = { told: KeptAnswers; user_agent: string; now: Date };

async function store(tx: Db, { told, user_agent, now }: Told): Promise<object | Refusal> {
  const token = await lockToken(tx, told.token_id);
  if (token === undefined || !token.attivo) return { refused: 'PLAN_B_CODE_GONE' };
  const visit = await visitOf(tx, { told, user_agent, now }, token);
  if (visit === null) return { refused: 'PLAN_B_UNREADABLE' };
  for (const answer of told.answers) await storeTrip(tx, { told, answer, token, now });
  if (told.completed_at !== null && visit.completed_at === null)
    await updateSession(tx, visit.id, endOf(told, itinerary(await snapshotOf(tx, told)), now));
  return {};
}

/** The visit under the id that the phone has drawn, held; null where that is somebody else's. */
async function visitOf(tx: Db, { told, user_agent, now }: Told, token: Token): Promise<SessionRow | null> {
  const snapshot = await snapshotOf(tx, told);
  const steps = itinerary(snapshot);
  const { hash, body } = storedForm(snapshot);
  const added = await insertWithoutSite(tx, {
    id: told.id,
    token_id: token.id,
    token_value: token.token,
    device_id: told.id,
    attempt_id: told.id,
    user_agent,
    started_at: notAfter(told.started_at, now),
    last_activity: now.toISOString(),
    ...endOf(told, steps, now),
    // No cookie has this hash.
    cookie_hash: randomBytes(32).toString('hex'),
    snapshot_hash: hash,
  });
  if (added) {
    await keepSnapshot(tx, { hash, body });
    await countVisit(tx, { visite: 1 }, now);
  }
  const visit = await lockSession(tx, told.id);
  return visit?.piano_b === true && visit.token_id === token.id ? visit : null;
}

/** The evening as it is prepared now, with the questions as they were asked. */
async function snapshotOf(tx: Db, { questions }: KeptAnswers) {
  const config = await findConfig(tx);
  if (config === undefined) throw new Error('There is a code, and no evening');
  return { ...(await takeSnapshot(tx, config)), questions };
}

/** How far she came: to the end, or to the last questions she has answered. */
function endOf({ completed_at, answers }: KeptAnswers, steps: readonly Step[], now: Date) {
  const answered = steps.findLastIndex(
    ({ stage, viaggio }) => stage === 'questions' && answers.some((answer) => answer.viaggio === viaggio),
  );
  const step = completed_at === null ? Math.max(0, answered) : Math.max(0, steps.length - 1);
  return {
    step,
    completed_at: completed_at === null ? null : notAfter(completed_at, now),
    disconnected_at: notAfter(completed_at ?? now.toISOString(), now),
  };
}

/** The phone's clock may be ahead. */
const notAfter = (moment: string, now: Date): string =>
  new Date(Math.min(Date.parse(moment), now.getTime())).toISOString();

type Storing = { told: KeptAnswers; answer: Trip; token: Token; now: Date };

async function storeTrip(tx: Db, { told, answer, token, now }: Storing): Promise<void> {
  const row = { ...answer, session_id: told.id, token_value: token.token };
  if (!(await insertAnswers(tx, row, now))) return;
  await enqueueNotification(
    tx,
    {
      type: 'checkbox_response',
      token_value: token.token,
      ...answer,
      nome: token.nome,
      domande: askedOn(told, answer.viaggio),
      piano_b: true,
    },
    now,
  );
}

function askedOn({ questions }: KeptAnswers, viaggio: Viaggio): [string, string] {
  return viaggio === 1
    ? [questions.domanda_1 ?? '', questions.domanda_2 ?? '']
    : [questions.domanda_1_viaggio_2 ?? '', questions.domanda_2_viaggio_2 ?? ''];
}

const CURVE = 'prime256v1';
/** The number of points of P-256: a private key is less. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * The pair of keys with which a phone's answers are sealed and opened: drawn out of the installation's secret, so that it comes along wherever that
 * goes. `point`: the public one, base64url.
 */
export function siteKey(secret: Buffer): { jwk: webcrypto.JsonWebKey; point: string } {
  const drawn = Buffer.from(hkdfSync('sha256', secret, '', 'answers of a plan B', 48)).toString('hex');
  const own = ((BigInt(`0x${drawn}`) % (ORDER - 1n)) + 1n).toString(16).padStart(64, '0');
  const pair = createECDH(CURVE);
  pair.setPrivateKey(Buffer.from(own, 'hex'));
  const point = pair.getPublicKey();
  const part = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const d = Buffer.from(own, 'hex').toString('base64url');
  return { jwk: { kty: 'EC', crv: 'P-256', x: part(1), y: part(33), d }, point: point.toString('base64url') };
}
