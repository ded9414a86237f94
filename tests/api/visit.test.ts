import { expect, test } from 'vitest';
import { giveAnswers } from '../../src/server/features/visit/answers.service.ts';
import { livingMediaIds } from '../../src/server/features/visit/media-access.ts';
import { heartbeat } from '../../src/server/features/visit/presence.service.ts';
import { siteState } from '../../src/server/features/visit/site.service.ts';
import { keepSnapshot } from '../../src/server/features/visit/snapshots.repo.ts';
import { complete, reportPosition, resume } from '../../src/server/features/visit/visit.service.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { FULL_CONFIGURATION, FULL_QUESTIONS, mediaUrl, NO_SECOND_TRIP } from '../support/evenings.ts';
import { inParallel } from '../support/parallel.ts';
import { at, useVisit } from '../support/visit-suite.ts';
import { comeIn, configure, makeCode, stepIndex, walkTo } from '../support/visits.ts';

const visit = useVisit(sqliteDatabase);

test('who has no cookie, or one that leads nowhere, has no visit', async () => {
  expect(await visit.guard(null)).toEqual({ refused: 'NO_VISIT' });
  expect(await visit.guard('x'.repeat(43))).toEqual({ refused: 'NO_VISIT' });
  expect(await visit.guard(`${visit.secret.slice(0, -1)}!`)).toEqual({ refused: 'NO_VISIT' });
  const { cookie_hash } = await visit.row();
  expect(await visit.guard(cookie_hash)).toEqual({ refused: 'NO_VISIT' });
});

test('at the beginning only the first stages are known', async () => {
  const seen = await resume(visit.server.deps, await visit.visitor());
  expect(seen).toMatchObject({
    session_id: visit.sessionId,
    position: at(0),
    complete: false,
    answers: [],
    canzone_url: null,
  });
  expect(seen).toHaveProperty('stages.length', 2);
  const text = JSON.stringify(seen);
  expect(text).toContain('prima-uno');
  expect(text).toContain(FULL_CONFIGURATION.video_url);
  expect(text).not.toMatch(/dopo-uno|meta|biglietti|domanda|finale|secondo|addio/);
});

test('the place moves forward one stage at a time and never back', async () => {
  const { deps } = visit.server;
  const me = await visit.visitor();
  expect(await reportPosition(deps, me, at(2))).toEqual({ refused: 'STEP_REFUSED' });
  expect(await reportPosition(deps, me, at(99))).toEqual({ refused: 'STEP_REFUSED' });
  expect(await reportPosition(deps, me, at(0, 1))).toMatchObject({ position: at(0, 1) });
  expect(await reportPosition(deps, me, at(1, 0, 7.5))).toMatchObject({ position: at(1, 0, 7.5) });
  expect(await reportPosition(deps, me, at(1, 0, 3))).toMatchObject({ position: at(1, 0, 7.5) });
  expect(await reportPosition(deps, me, at(0))).toMatchObject({ position: at(1, 0, 7.5) });
  expect(await visit.row()).toMatchObject({
    step: 1,
    phrase: 0,
    second: 7.5,
    exit_point: 'during_pre_phrases',
  });
  await walkTo(visit.server, visit.secret, 2);
  expect(await visit.row()).toMatchObject({ step: 2, exit_point: 'during_post_phrases' });
});

test('many reports at once leave the furthest place', async () => {
  const me = await visit.visitor();
  const phrases = Array.from({ length: 60 }, (_, phrase) => phrase).toSorted(
    (a, b) => ((a * 37) % 60) - ((b * 37) % 60),
  );
  await inParallel(
    phrases.map((phrase) => () => reportPosition(visit.server.deps, me, at(0, phrase))),
    40,
  );
  expect(await visit.row()).toMatchObject({ step: 0, phrase: 59 });
});

test('questions hold her until they are answered; the closing phrase comes with the answers', async () => {
  await configure(visit.server, NO_SECOND_TRIP);
  const { token } = await makeCode(visit.server);
  Object.assign(
    visit,
    await comeIn(visit.server, token).then((entered) => ({
      secret: entered.secret,
      sessionId: entered.session_id,
    })),
  );
  const me = await visit.visitor();
  const questions = stepIndex(me, 'questions', 1);
  const given = { viaggio: 1 as const, risposta_1: true, risposta_2: false };
  expect(await giveAnswers(visit.server.deps, me, given)).toEqual({ refused: 'ANSWERS_REFUSED' });
  await walkTo(visit.server, visit.secret, questions);
  expect(await giveAnswers(visit.server.deps, me, { ...given, viaggio: 2 })).toEqual({
    refused: 'ANSWERS_REFUSED',
  });
  expect(await reportPosition(visit.server.deps, me, at(questions + 1))).toEqual({
    refused: 'STEP_REFUSED',
  });
  expect(await complete(visit.server.deps, me)).toEqual({ refused: 'STEP_REFUSED' });
  expect(await giveAnswers(visit.server.deps, me, given)).toMatchObject({
    answers: [given],
    complete: true,
    stages: expect.arrayContaining([{ stage: 'closing', viaggio: 1, frase: 'finale-misto', answered: true }]),
  });
  expect(await visit.row()).toMatchObject({ exit_point: 'after_checkboxes' });
  const told = await visit.server.deps.db
    .selectFrom('notifications')
    .selectAll()
    .where('type', '=', 'checkbox_response')
    .execute();
  const { token_value } = await visit.row();
  expect(told.map(({ payload }) => JSON.parse(payload))).toEqual([
    {
      type: 'checkbox_response',
      token_value,
      risposta_1: true,
      risposta_2: false,
      viaggio: 1,
      nome: 'Per lei',
      domande: [FULL_QUESTIONS.domanda_1, FULL_QUESTIONS.domanda_2],
    },
  ]);
  expect(await giveAnswers(visit.server.deps, me, given)).toMatchObject({ answers: [given] });
  expect(await giveAnswers(visit.server.deps, me, { ...given, risposta_2: true })).toEqual({
    refused: 'ANSWERS_CONFLICT',
  });
  expect(await complete(visit.server.deps, me)).toEqual({ refused: 'STEP_REFUSED' });
  await walkTo(visit.server, visit.secret, questions + 1);
  expect(await complete(visit.server.deps, me)).toEqual({ completed: true });
});

test('of a hundred different answers at once one is stored, once, and told once', async () => {
  const me = await visit.visitor();
  await walkTo(visit.server, visit.secret, stepIndex(me, 'questions', 1));
  const posts = Array.from({ length: 100 }, (_, n) => ({
    viaggio: 1 as const,
    risposta_1: n % 2 === 0,
    risposta_2: n % 3 === 0,
  }));
  const results = await inParallel(
    posts.map((post) => async () => ({ post, result: await giveAnswers(visit.server.deps, me, post) })),
    40,
  );
  const stored = await visit.server.deps.db.selectFrom('checkbox_responses').selectAll().execute();
  expect(stored).toHaveLength(1);
  const { risposta_1, risposta_2 } = stored[0] ?? {};
  for (const { post, result } of results) {
    const same = post.risposta_1 === risposta_1 && post.risposta_2 === risposta_2;
    if (same) expect(result).toHaveProperty('answers', [{ viaggio: 1, risposta_1, risposta_2 }]);
    else expect(result).toEqual({ refused: 'ANSWERS_CONFLICT' });
  }
  const told = await visit.server.deps.db
    .selectFrom('notifications')
    .selectAll()
    .where('type', '=', 'checkbox_response')
    .execute();
  expect(told).toHaveLength(1);
});

test('a whole evening with two trips, then nothing more', async () => {
  const { deps } = visit.server;
  const me = await visit.visitor();
  for (const viaggio of [1, 2] as const) {
    await walkTo(visit.server, visit.secret, stepIndex(me, 'questions', viaggio));
    await giveAnswers(deps, me, { viaggio, risposta_1: true, risposta_2: viaggio === 1 });
  }
  await walkTo(visit.server, visit.secret, me.steps.length - 1);
  expect(await resume(deps, await visit.visitor())).toMatchObject({
    complete: true,
    stages: { length: me.steps.length },
  });
  expect(await complete(deps, me)).toEqual({ completed: true });
  expect(await visit.row()).toMatchObject({
    is_active: false,
    disconnection_reason: 'user_logout',
    completed_at: visit.server.clock.now().toISOString(),
  });
  expect(await visit.events('session_ended')).toEqual([
    { session_id: visit.sessionId, reason: 'user_logout', exit_point: 'after_checkboxes', completed: true },
  ]);
  expect(await visit.guard()).toEqual({ refused: 'VISIT_ENDED' });
  expect(await resume(deps, me)).toEqual({ refused: 'VISIT_ENDED' });
  expect(await complete(deps, me)).toEqual({ refused: 'VISIT_ENDED' });
  expect(await heartbeat(deps, await visit.holder())).toEqual({ state: 'ended', disconnection: null });
  expect(await siteState(deps, await visit.holder())).toMatchObject({
    resumable: false,
    disconnection: null,
  });
  expect(await livingMediaIds(deps.db, visit.server.clock.now())).toEqual(new Set());
});

test('she sees the configuration she began with', async () => {
  await configure(
    visit.server,
    { frasi_pre_video: ['cambiata'], video_url: mediaUrl('7', 'mp4'), frasi: [] },
    { domanda_1: null },
  );
  const text = JSON.stringify(await resume(visit.server.deps, await visit.visitor()));
  expect(text).toContain('prima-uno');
  expect(text).not.toContain('cambiata');
  expect((await visit.visitor()).snapshot.questions.domanda_1).toBe('domanda-uno');
});

test('a snapshot that does not fit is an error, not a guess', async () => {
  const { db } = visit.server.deps;
  await keepSnapshot(db, { hash: 'unfit', body: '{"config":{}}' });
  await db.updateTable('active_sessions').set({ snapshot_hash: 'unfit' }).execute();
  await expect(visit.guard()).rejects.toThrow();
});
