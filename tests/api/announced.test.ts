import { describe, expect, test } from 'vitest';
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
/** Runs the works in order and returns the topics published by each. */
async function topicsOf(...works: (() => Promise<unknown>)[]): Promise<string[][]> {
  const topics: string[][] = [];
  for (const work of works) topics.push((await publishedTopics(server, work)).flat());
  return topics;
}

describe('published changes', () => {
  test('publishes a saved configuration and saved questions, not refused ones', async () => {
    const { ctx } = server;
    const { versione } = await readConfig(ctx);
    const questions = await readQuestions(ctx);
    const fields = { contatto: '@lui' };
    const saves = [
      () => saveConfig(ctx, { versione, fields }),
      () => saveConfig(ctx, { versione: 99, fields }),
      () => saveQuestions(ctx, { versione: questions.versione, fields: { domanda_1: 'Vieni?' } }),
      () => saveQuestions(ctx, { versione: 99, fields: { domanda_1: 'Vieni?' } }),
    ];
    expect(await topicsOf(...saves)).toEqual([['config'], [], ['config'], []]);
  });

  test('publishes creating, extending, revoking, restoring and deleting a code, and nothing for a missing one', async () => {
    const { ctx } = server;
    const { id, max_accessi, scadenza } = await makeCode(server);
    const revoked = ['tokens', 'sessions', 'logs'];
    expect(
      await topicsOf(
        () => makeCode(server),
        () => addAccess(ctx, { id, max_accessi }),
        () => extendToken(ctx, { id, giorni: 3, scadenza }),
        () => setTokenActive(ctx, { id, attivo: false }),
        () => setTokenActive(ctx, { id, attivo: true }),
        () => removeToken(ctx, { id }),
      ),
    ).toEqual([['tokens', 'logs'], ['tokens'], ['tokens'], revoked, revoked, revoked]);
    const none = { id: NOBODY, max_accessi, giorni: 3, scadenza, attivo: false };
    const changes = [addAccess, extendToken, setTokenActive, removeToken];
    expect((await topicsOf(...changes.map((change) => () => change(ctx, none)))).flat()).toEqual([]);
  });

  test('publishes the entry, position, answers, leaving and end of a visit, and a refused entry', async () => {
    const { deps } = server;
    const { token } = await makeCode(server);
    let secret = '';
    const entering = async () => {
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
    expect(
      await topicsOf(entering, async () => reportPosition({ ...deps, visitor: await visitor() }, place)),
    ).toEqual([['sessions', 'logs', 'tokens'], ['sessions']]);
    await walk(1);
    expect(
      await topicsOf(
        () => answer(1),
        () => leave('background', 1),
        () => leave('closed', 2),
      ),
    ).toEqual([['sessions', 'answers'], ['sessions'], ['sessions', 'logs']]);
    await walk(2);
    await answer(2);
    await walkTo(server, secret, (await visitor()).steps.length - 1);
    expect(await topicsOf(async () => complete({ ...deps, visitor: await visitor() }, {}))).toEqual([
      ['sessions', 'logs'],
    ]);
    const refused = ['ROM-22222222', ' '].map((typed) => () => attemptEntry(server, typed));
    expect(await topicsOf(...refused)).toEqual([['logs'], ['logs']]);
  });

  test('publishes tested phones, items restored from the bin, a light film, and a request for the readiness checks', async () => {
    const { ctx, deps } = server;
    const renew = () => createDiagnosisPass(ctx, { anew: true });
    await createDiagnosisPass(ctx, {});
    expect(await topicsOf(renew)).toEqual([['diagnosis']]);
    const pass = await createDiagnosisPass(ctx, {});
    const owner = await verifyDiagnosisPass(deps, pass.pass);
    if (isRefused(owner)) throw new Error(owner.refused);
    const forget = () => deleteTestedPhone(ctx, { id: 'a' });
    const close = () => revokeDiagnosisPass(ctx, { id: pass.id });
    const report = () => saveFindings(deps, owner, { id: 'a', findings: {}, user_agent: '' });
    const diagnosis = ['diagnosis'];
    expect(await topicsOf(report, forget, forget, close, close)).toEqual([
      diagnosis,
      diagnosis,
      [],
      diagnosis,
      [],
    ]);

    const deleted = await removeToken(ctx, { id: (await makeCode(server)).id });
    if (isRefused(deleted)) throw new Error(deleted.refused);
    const restore = () => restoreBinned(ctx, { id: deleted.bin });
    const emptied = ['config', 'tokens'];
    expect(await topicsOf(restore, restore, () => emptyBinNow(ctx))).toEqual([emptied, [], emptied]);

    const url = mediaUrl({ id: 'a', extension: 'mp4' });
    const film = { id: 'a', nome: 'film.mp4', url, poster_url: null };
    await deps.inTransaction((tx) => insertVideo(tx, { ...film, created_at: '2027-01-01T00:00:00.000Z' }));
    expect(
      await topicsOf(
        () => setLightWanted(ctx, { id: 'a', on: false }),
        () => setLightWanted(ctx, { id: NOBODY, on: false }),
        () => requestChecks(ctx),
      ),
    ).toEqual([['config'], [], ['ready']]);
  });
});
