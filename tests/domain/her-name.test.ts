import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepsakeContent } from '../../src/domain/evening.ts';
import { itinerary } from '../../src/domain/itinerary.ts';
import {
  contactText,
  fillName,
  needsName,
  recipientName,
  withRecipientName,
} from '../../src/domain/recipient-name.ts';
import { stageContent, visibleVisit } from '../../src/domain/stage-content.ts';
import { snapshotOf } from '../support/evenings.ts';

/** The recipient's name in the administrator's texts: `{nome}` is replaced or removed, and never shown. */

const RAW = /\{\s*nome\s*\}/iu;

test.each([
  ['Ciao {nome}!', 'Ciao Giulia!', 'Ciao!'],
  ['Ciao, {nome}, come stai?', 'Ciao, Giulia, come stai?', 'Ciao, come stai?'],
  ['{nome}, ti aspetto', 'Giulia, ti aspetto', 'Ti aspetto'],
  ['Ti amo.\n{ NOME }, vieni?', 'Ti amo.\nGiulia, vieni?', 'Ti amo.\nVieni?'],
  ['Vieni con me, {nome}\nalla fine', 'Vieni con me, Giulia\nalla fine', 'Vieni con me\nalla fine'],
  ['Domani {nome} parte', 'Domani Giulia parte', 'Domani parte'],
  ['Per sempre, *{nome}*', 'Per sempre, *Giulia*', 'Per sempre'],
  ['{nome}', 'Giulia', ''],
  ['«{nome}, eccomi»', '«Giulia, eccomi»', '«Eccomi»'],
  ['{{nome}}!', 'Giulia!', ''],
  ['Un {altro} posto e $& resta', 'Un {altro} posto e $& resta', 'Un {altro} posto e $& resta'],
])('fills or removes the placeholder in %j', (text, withName, without) => {
  expect(fillName(text, 'Giulia')).toBe(withName);
  expect(fillName(text, null)).toBe(without);
});

test('inserts a name verbatim, special characters included', () => {
  expect(fillName('Ciao {nome}', "D'$&\\1")).toBe("Ciao D'$&\\1");
});

test.each([
  ['{nome}, scrivi a @marco', 'Giulia, scrivi a @marco', 'Scrivi a @marco'],
  ['@marco', '@marco', '@marco'],
  ['{nome}', 'Giulia', null],
  [' ', null, null],
  [null, null, null],
])('fills the contact %j', (contatto, withName, without) => {
  expect(contactText({ contatto, recipient_name: ' Giulia ' })).toBe(withName);
  expect(contactText({ contatto, recipient_name: null })).toBe(without);
});

/** Texts that consist of placeholders and of parts that may form one when joined. */
const odd = fc
  .array(
    fc.constantFrom(
      '{nome}',
      '{',
      '}',
      'nome',
      '{no',
      'me}',
      '*',
      ', ',
      ' ',
      '\n',
      '.',
      'Nome',
      '{ nome }',
      'ì',
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));

test('leaves no placeholder in any text, with any name', () => {
  fc.assert(
    fc.property(odd, fc.option(odd), (text, name) => {
      expect(fillName(text, name)).not.toMatch(RAW);
      expect(recipientName({ recipient_name: name }) ?? '').not.toMatch(RAW);
    }),
    { numRuns: 2_000 },
  );
});

describe('withRecipientName', () => {
  /** Puts a placeholder into every text that isn't a file or a choice. */
  const placed = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value, (key, inner: unknown) =>
        typeof inner === 'string' && !inner.startsWith('/api/') && key !== 'dress'
          ? `{nome}, ${inner}`
          : inner,
      ),
    );
  const full = snapshotOf();

  test.each([
    ['Giulia', /Giulia, prima-uno/],
    [null, /Prima-uno/],
    ['{nome}', /Prima-uno/],
  ])(
    'fills %j in every stage, the keepsake and a visit, and leaves no placeholder',
    (recipient_name, expected) => {
      const raw = {
        ...full,
        config: { ...placed(full.config), recipient_name },
        questions: placed(full.questions),
      };
      expect(JSON.stringify(raw).match(new RegExp(RAW, 'giu'))?.length).toBeGreaterThan(20);
      const snapshot = withRecipientName(raw);
      const answers = new Map([[1, { risposta_1: true, risposta_2: true }]] as const);
      const steps = itinerary(snapshot);
      const shown = JSON.stringify([
        snapshot,
        steps.map((step) => stageContent(snapshot, step, answers)),
        keepsakeContent(snapshot, answers, new Date(0)),
        visibleVisit({
          snapshot,
          steps,
          position: { step: steps.length - 1, phrase: 0, second: 0 },
          answers,
        }),
      ]);
      expect(shown).not.toMatch(RAW);
      expect(shown).toMatch(expected);
      // Files, choices and the order of fields are unchanged.
      expect(Object.keys(snapshot.config)).toEqual(Object.keys(full.config));
      expect(snapshot.config).toMatchObject({ video_url: full.config.video_url, dress: full.config.dress });
      expect(Object.keys(snapshot.questions)).toEqual(Object.keys(full.questions));
    },
  );

  test('drops a phrase that consists of the name if there is no name', () => {
    const phrases = (recipient_name: string | null) =>
      itinerary(withRecipientName(snapshotOf({ recipient_name, frasi_pre_video: ['{nome}'] }))).map(
        ({ stage }) => stage,
      );
    expect(phrases('Giulia')).toContain('pre_phrases');
    expect(phrases(null)).not.toContain('pre_phrases');
  });

  test.each([
    ['a phrase', { frasi: ['uno', 'Ciao, { Nome }'] }],
    ['the contact', { contatto: '{nome}, scrivi a @marco' }],
  ])('needsName returns true if %s uses the name and there is none', (_where, config) => {
    const eveningNamed = (recipient_name: string | null) => ({
      config: { ...full.config, ...config, recipient_name },
      questions: full.questions,
    });
    expect([null, ' ', '{nome}', 'Giulia'].map((name) => needsName(eveningNamed(name)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(needsName(withRecipientName(eveningNamed(null)))).toBe(false);
  });

  test('leaves an evening without placeholders unchanged', () => {
    expect(withRecipientName(full)).toEqual(full);
    expect(needsName({ ...full, config: { ...full.config, recipient_name: null } })).toBe(false);
  });
});
