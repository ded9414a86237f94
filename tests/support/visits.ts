import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { configurationSchema, siteSettingsSchema, TokenRecord } from '../../src/contract/model.ts';
import type { Visit } from '../../src/contract/visit.ts';
import type { Questions } from '../../src/domain/configuration.ts';
import { enter } from '../../src/server/features/access/enter.ts';
import type { Attempt, EntryGranted } from '../../src/server/features/access/redeem.ts';
import { readConfig, saveConfig } from '../../src/server/features/config/settings.ts';
import { readQuestions, saveQuestions } from '../../src/server/features/questions/questions.ts';
import { createToken, type NewToken } from '../../src/server/features/tokens/tokens.ts';
import { reportPosition } from '../../src/server/features/visit/visit.ts';
import {
  requireHolder,
  requireVisit,
  type VisitHolder,
  type VisitorSession,
} from '../../src/server/features/visit/visitor.ts';
import { isRefused, type Refusal } from '../../src/server/refused.ts';
import type { TestServer } from './deps.ts';
import { FULL_CONFIGURATION, FULL_QUESTIONS } from './evenings.ts';

type Fields = Partial<z.infer<typeof configurationSchema> & z.infer<typeof siteSettingsSchema>>;

/** Configures a complete evening like the administrator. */
export async function configure(
  { ctx }: TestServer,
  fields: Fields = {},
  questions: Partial<Questions> = {},
): Promise<void> {
  const { versione } = await readConfig(ctx);
  const saved = await saveConfig(ctx, { versione, fields: { ...FULL_CONFIGURATION, ...fields } });
  if (isRefused(saved)) throw new Error(saved.refused);
  const before = await readQuestions(ctx);
  const change = { versione: before.versione, fields: { ...FULL_QUESTIONS, ...questions } };
  const savedQuestions = await saveQuestions(ctx, change);
  if (isRefused(savedQuestions)) throw new Error(savedQuestions.refused);
}

export async function makeCode({ ctx }: TestServer, token: Partial<NewToken> = {}): Promise<TokenRecord> {
  const made = await createToken(ctx, { nome: 'Per lei', ...token });
  if (isRefused(made)) throw new Error(made.refused);
  return made;
}

let addresses = 0;

/** An attempt to enter from a separate address and device, unless changed. */
export function attemptOf(token: string, changes: Partial<Attempt> = {}): Attempt {
  addresses += 1;
  return {
    token,
    attempt_id: randomUUID(),
    device_id: `device-1-${randomUUID()}`,
    address: `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
    user_agent: 'Mozilla/5.0 (iPhone)',
    visit_secret: null,
    ...changes,
  };
}

/** An entry, with the ids of its visit. */
type Entered = EntryGranted & Pick<Visit, 'session_id' | 'token_id' | 'token_value'>;

export async function attemptEntry(
  { deps }: TestServer,
  token: string,
  changes: Partial<Attempt> = {},
): Promise<Entered | Extract<Awaited<ReturnType<typeof enter>>, Refusal>> {
  const result = await enter(deps, attemptOf(token, changes));
  return isRefused(result) ? result : { ...result.visit, ...result };
}

/** Enters, or throws. */
export async function enterOrThrow(
  server: TestServer,
  token: string,
  changes: Partial<Attempt> = {},
): Promise<Entered> {
  const result = await attemptEntry(server, token, changes);
  if (isRefused(result)) throw new Error(result.refused);
  return result;
}

/** Returns the open visit of this cookie, or throws. */
export async function visitorOf({ deps }: TestServer, secret: string): Promise<VisitorSession> {
  const found = await requireVisit({ deps, cookies: { visit: secret } });
  if (isRefused(found)) throw new Error(found.refused);
  return found.visitor;
}

export async function holderOf({ deps }: TestServer, secret: string): Promise<VisitHolder> {
  const found = await requireHolder({ deps, cookies: { visit: secret } });
  if (isRefused(found)) throw new Error(found.refused);
  return found.holder;
}

/** Walks to that step of the itinerary one by one; throws if a step is refused. */
export async function walkTo(server: TestServer, secret: string, step: number): Promise<void> {
  const visitor = await visitorOf(server, secret);
  for (let next = visitor.position.step + 1; next <= step; next += 1) {
    const moved = await reportPosition({ ...server.deps, visitor }, { step: next, phrase: 0, second: 0 });
    if (isRefused(moved)) throw new Error(`${moved.refused} at step ${next}`);
  }
}

/** Returns the index of this stage in a visit's itinerary. */
export function stepIndex({ steps }: VisitorSession, stage: string, viaggio: 1 | 2): number {
  return steps.findIndex((step) => step.stage === stage && step.viaggio === viaggio);
}
