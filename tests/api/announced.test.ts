import { expect, test } from 'vitest';
import { mediaUrl } from '../../src/domain/media.ts';
import { emptyBinNow, restoreBinned } from '../../src/server/features/bin/bin.ts';
import { readConfig, saveConfig } from '../../src/server/features/config/settings.ts';
import {
  createDiagnosisPass,
  deleteTestedPhone,
  revokeDiagnosisPass,
  saveFindings,
  verifyDiagnosisPass,
} from '../../src/server/features/diagnosis/diagnosis.ts';
import { setLightWanted } from '../../src/server/features/light/light.ts';
import { insertVideo } from '../../src/server/features/media/library.repo.ts';
import { readQuestions, saveQuestions } from '../../src/server/features/questions/questions.ts';
import { requestChecks } from '../../src/server/features/ready/ready.ts';
import {
  addAccess,
  extendToken,
  removeToken,
  setTokenActive,
} from '../../src/server/features/tokens/tokens.ts';
import { trackUserExit } from '../../src/server/features/visit/presence.ts';
import { complete, giveAnswers, reportPosition } from '../../src/server/features/visit/visit.ts';
import { isRefused } from '../../src/server/refused.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { publishedTopics } from '../support/product.ts';
import { useServer } from '../support/suites.ts';
import {
  attemptEntry,
  enterOrThrow,
  holderOf,
  makeCode,
  stepIndex,
  visitorOf,
  walkTo,
} from '../support/visits.ts';

/** Changes published to the administrator's open pages. Nothing is published without a change. */

const NOBODY = '00000000-0000-4000-8000-000000000000';

const server = useServer(sqliteDatabase);
type Change = [work: () => Promise<unknown>, ...topics: string[]];
/** Runs the works in order, and expects the topics that each publishes. */
async function expectTopics(...changes: Change[]): Promise<void> {
  for (const [work, ...topics] of changes)
    expect((await publishedTopics(server, work)).flat(), String(work)).toEqual(topics);
}

test('publishes a saved configuration and saved questions, not refused ones', async () => {
  const { ctx } = server;
  const { versione } = await readConfig(ctx);
  const questions = await readQuestions(ctx);
  const [fields, asked] = [{ contatto: '@lui' }, { domanda_1: 'Vieni?' }];
  await expectTopics(
    [() => saveConfig(ctx, { versione, fields }), 'config'],
    [() => saveConfig(ctx, { versione: 99, fields })],
    [() => saveQuestions(ctx, { versione: questions.versione, fields: asked }), 'config'],
    [() => saveQuestions(ctx, { versione: 99, fields: asked })],
  );
});

test('publishes creating, extending, revoking, restoring and deleting a code, and nothing for a missing one', async () => {
  const { ctx } = server;
  const { id, max_accessi, scadenza } = await makeCode(server);
  const revoked = ['tokens', 'sessions', 'logs'];
  const none = { id: NOBODY, max_accessi, giorni: 3, scadenza, attivo: false };
  const changes = [addAccess, extendToken, setTokenActive, removeToken];
  await expectTopics(
    [() => makeCode(server), 'tokens', 'logs'],
    [() => addAccess(ctx, { id, max_accessi }), 'tokens'],
    [() => extendToken(ctx, { id, giorni: 3, scadenza }), 'tokens'],
    [() => setTokenActive(ctx, { id, attivo: false }), ...revoked],
    [() => setTokenActive(ctx, { id, attivo: true }), ...revoked],
    [() => removeToken(ctx, { id }), ...revoked],
    ...changes.map((change): Change => [() => change(ctx, none)]),
  );
});

test('publishes the entry, position, answers, leaving and end of a visit, and a refused entry', async () => {
  const { deps } = server;
  const { token } = await makeCode(server);
  let secret = '';
  const enter = async () => {
    ({ secret } = await enterOrThrow(server, token));
  };
  const visitor = () => visitorOf(server, secret);
  const leave = async (state: 'background' | 'closed', seq: number) =>
    trackUserExit(
      { ...deps, holder: await holderOf(server, secret) },
      { state, seq, exitPoint: 'during_checkboxes' },
    );
  const answer = async (viaggio: 1 | 2) =>
    giveAnswers({ ...deps, visitor: await visitor() }, { viaggio, risposta_1: true, risposta_2: false });
  const walk = async (viaggio: 1 | 2) =>
    walkTo(server, secret, stepIndex(await visitor(), 'questions', viaggio));
  const place = { step: 1, phrase: 0, second: 0 };
  await expectTopics(
    [enter, 'sessions', 'logs', 'tokens'],
    [async () => reportPosition({ ...deps, visitor: await visitor() }, place), 'sessions'],
  );
  await walk(1);
  await expectTopics(
    [() => answer(1), 'sessions', 'answers'],
    [() => leave('background', 1), 'sessions'],
    [() => leave('closed', 2), 'sessions', 'logs'],
  );
  await walk(2);
  await answer(2);
  await walkTo(server, secret, (await visitor()).steps.length - 1);
  await expectTopics(
    [async () => complete({ ...deps, visitor: await visitor() }, {}), 'sessions', 'logs'],
    [() => attemptEntry(server, 'ROM-22222222'), 'logs'],
    [() => attemptEntry(server, ' '), 'logs'],
  );
});

test('publishes tested phones, items restored from the bin, a light film, and a request for the readiness checks', async () => {
  const { ctx, deps } = server;
  const { id, pass } = await createDiagnosisPass(ctx, {});
  const owner = await verifyDiagnosisPass(deps, pass);
  const deleted = await removeToken(ctx, { id: (await makeCode(server)).id });
  if (isRefused(owner) || isRefused(deleted)) throw new Error('Refused');
  const film = { id: 'a', nome: 'film.mp4', url: mediaUrl({ id: 'a', extension: 'mp4' }), poster_url: null };
  await deps.inTransaction((tx) => insertVideo(tx, { ...film, created_at: '2027-01-01T00:00:00.000Z' }));
  const restore = () => restoreBinned(ctx, { id: deleted.bin });
  await expectTopics(
    [() => saveFindings(deps, owner, { id: 'a', findings: {}, user_agent: '' }), 'diagnosis'],
    [() => deleteTestedPhone(ctx, { id: 'a' }), 'diagnosis'],
    [() => deleteTestedPhone(ctx, { id: 'a' })],
    [() => revokeDiagnosisPass(ctx, { id }), 'diagnosis'],
    [() => revokeDiagnosisPass(ctx, { id })],
    [() => createDiagnosisPass(ctx, {}), 'diagnosis'],
    [restore, 'config', 'tokens'],
    [restore],
    [() => emptyBinNow(ctx), 'config', 'tokens'],
    [() => setLightWanted(ctx, { id: 'a', on: false }), 'config'],
    [() => setLightWanted(ctx, { id: NOBODY, on: false })],
    [() => requestChecks(ctx), 'ready'],
  );
});
