import { describe, expect, test } from 'vitest';
import { mediaUrl } from '../../src/domain/media-address.ts';
import { emptyBinNow, restoreBinned } from '../../src/server/features/bin/bin.service.ts';
import { readConfig, saveConfig } from '../../src/server/features/config/config.service.ts';
import { forgetPhone, keepFindings } from '../../src/server/features/diagnosis/diagnosis.service.ts';
import { acceptPass, closePass, givePass } from '../../src/server/features/diagnosis/pass.service.ts';
import { wantLight } from '../../src/server/features/light/light.service.ts';
import { insertVideo } from '../../src/server/features/media/library.repo.ts';
import { readQuestions, saveQuestions } from '../../src/server/features/questions/questions.service.ts';
import { wantAsked } from '../../src/server/features/ready/ready.service.ts';
import {
  addAccess,
  extendToken,
  removeToken,
  setTokenActive,
} from '../../src/server/features/tokens/tokens.service.ts';
import { giveAnswers } from '../../src/server/features/visit/answers.service.ts';
import { trackUserExit } from '../../src/server/features/visit/presence.service.ts';
import { reportPosition } from '../../src/server/features/visit/visit.service.ts';
import { isRefused } from '../../src/server/refused.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { useServer } from '../support/suites.ts';
import { comeIn, holderOf, makeCode, stepIndex, tryToEnter, visitorOf, walkTo } from '../support/visits.ts';

/** The administrator's open pages are told of every change, and of nothing that didn't happen. */

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('what changes is told', () => {
  const server = useServer(sqliteDatabase);

  /** The topics that are told while something is done, each time in a list of its own. */
  async function told(work: () => Promise<unknown>): Promise<string[][]> {
    server.messages.length = 0;
    await work();
    return server.messages.flatMap((message) => (message.type === 'changed' ? [[...message.topics]] : []));
  }
  const stale = 99;

  test('of the configuration and the questions: what was saved, not what was refused', async () => {
    const { deps, actor } = server;
    const { versione } = await readConfig(deps, actor);
    const asked = await readQuestions(deps, actor);
    const fields = { contatto: '@lui' };
    expect(await told(() => saveConfig(deps, actor, { versione, fields }))).toEqual([['config']]);
    expect(await told(() => saveConfig(deps, actor, { versione: stale, fields }))).toEqual([]);
    const question = { domanda_1: 'Vieni?' };
    const saving = (version: number) => saveQuestions(deps, actor, { versione: version, fields: question });
    expect(await told(() => saving(asked.versione))).toEqual([['config']]);
    expect(await told(() => saving(stale))).toEqual([]);
  });

  test('of a film’s light version: turned off or on, not of a film that isn’t there', async () => {
    const { deps, actor } = server;
    const film = {
      id: 'a',
      nome: 'film.mp4',
      url: mediaUrl({ id: 'a', extension: 'mp4' }),
      poster_url: null,
    };
    await deps.inTransaction((tx) => insertVideo(tx, { ...film, created_at: '2027-01-01T00:00:00.000Z' }));
    expect(await told(() => wantLight(deps, actor, { id: 'a', on: false }))).toEqual([['config']]);
    expect(await told(() => wantLight(deps, actor, { id: NOBODY, on: false }))).toEqual([]);
  });

  test('of a code: made, given more, prolonged, revoked, restored, deleted; nothing of one that isn’t there', async () => {
    const { deps, actor } = server;
    expect(await told(() => makeCode(server))).toEqual([['tokens', 'logs']]);
    const { id, max_accessi, scadenza } = await makeCode(server);
    const revoked = ['tokens', 'sessions', 'logs'];
    expect(await told(() => addAccess(deps, actor, { id, max_accessi }))).toEqual([['tokens']]);
    expect(await told(() => extendToken(deps, actor, { id, giorni: 3, scadenza }))).toEqual([['tokens']]);
    for (const attivo of [false, true])
      expect(await told(() => setTokenActive(deps, actor, { id, attivo }))).toEqual([revoked]);
    expect(await told(() => removeToken(deps, actor, { id }))).toEqual([revoked]);
    const none = { id: NOBODY, max_accessi, giorni: 3, scadenza, attivo: false };
    for (const change of [addAccess, extendToken, setTokenActive, removeToken])
      expect(await told(() => change(deps, actor, none))).toEqual([]);
  });

  test('of an entry: with its session, or as one that was refused', async () => {
    const { token } = await makeCode(server);
    expect(await told(() => comeIn(server, token))).toEqual([['sessions', 'logs', 'tokens']]);
    expect(await told(() => tryToEnter(server, 'ROM-22222222'))).toEqual([['logs']]);
    expect(await told(() => tryToEnter(server, ' '))).toEqual([['logs']]);
  });

  test('of a visit: its place, its answers, its leaving', async () => {
    const { deps } = server;
    const { secret } = await comeIn(server, (await makeCode(server)).token);
    const position = { step: 1, phrase: 0, second: 0 };
    const visitor = await visitorOf(server, secret);
    expect(await told(() => reportPosition(deps, visitor, position))).toEqual([['sessions']]);
    await walkTo(server, secret, stepIndex(visitor, 'questions', 1));
    const given = { viaggio: 1, risposta_1: true, risposta_2: false } as const;
    expect(await told(async () => giveAnswers(deps, await visitorOf(server, secret), given))).toEqual([
      ['sessions', 'answers'],
    ]);
    const leaving = async (state: 'background' | 'closed', seq: number) =>
      trackUserExit(deps, await holderOf(server, secret), { state, seq, exitPoint: 'during_checkboxes' });
    expect(await told(() => leaving('background', 1))).toEqual([['sessions']]);
    expect(await told(() => leaving('closed', 2))).toEqual([['sessions', 'logs']]);
  });

  test('of the phones that were tried, and of what is taken from the bin', async () => {
    const { deps, actor } = server;
    let pass = await givePass(deps, actor, {});
    expect(await told(async () => (pass = await givePass(deps, actor, { anew: true })))).toEqual([
      ['diagnosis'],
    ]);
    const owner = await acceptPass(deps, pass.pass);
    if (isRefused(owner)) throw new Error(owner.refused);
    const report = { id: 'a', findings: {}, user_agent: '' };
    expect(await told(() => keepFindings(deps, owner, report))).toEqual([['diagnosis']]);
    for (const topics of [[['diagnosis']], []])
      expect(await told(() => forgetPhone(deps, actor, { id: 'a' }))).toEqual(topics);
    for (const topics of [[['diagnosis']], []])
      expect(await told(() => closePass(deps, actor, { id: pass.id }))).toEqual(topics);

    const { id } = await makeCode(server);
    const deleted = await removeToken(deps, actor, { id });
    if (isRefused(deleted)) throw new Error(deleted.refused);
    for (const topics of [[['config', 'tokens']], []])
      expect(await told(() => restoreBinned(deps, actor, { id: deleted.bin }))).toEqual(topics);
    expect(await told(() => emptyBinNow(deps, actor))).toEqual([['config', 'tokens']]);
  });

  test('of «Pronta?»: that somebody wants it asked', async () => {
    const { deps, actor } = server;
    expect(await told(() => wantAsked(deps, actor))).toEqual([['ready']]);
  });
});
