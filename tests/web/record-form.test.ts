import { describe, expect, test, vi } from 'vitest';
import {
  at,
  client,
  Failure,
  failWith,
  focus,
  form,
  KEY,
  open,
  others,
  page,
  press,
  putIntoBin,
  readAgain,
  said,
  saved,
  setTheForm,
  settle,
  there,
  view,
  wait,
  write,
} from '../support/record-form.ts';

/** A form that saves itself: when, what it says, and what it asks where two hands wrote the same. */

setTheForm();

describe('it saves itself', () => {
  test('a second after the last key, without a word', async () => {
    await open();
    expect([form().dirty, form().saveState]).toEqual([false, 'saved']);
    await write('titolo', 'Rom');
    await wait(999);
    await write('titolo', 'Paris');
    expect([form().dirty, form().saveState]).toEqual([true, 'unsaved']);
    await wait(999);
    expect(saved).toEqual([]);
    await wait(1);
    expect(saved).toEqual([{ versione: 1, fields: { titolo: 'Paris', nota: 'Bella' } }]);
    expect([form().saveState, form().record.versione, said]).toEqual(['saved', 2, []]);
    expect(client.getQueryData(KEY)).toMatchObject({ titolo: 'Paris', versione: 2 });
    await wait(60_000);
    expect(saved).toHaveLength(1);
  });

  test('when its field is left, when the page is put aside, and when the network is back', async () => {
    await open();
    for (const [index, act] of [
      () =>
        form()
          .input('titolo')
          .onBlur({} as never),
      () => {
        page.visibilityState = 'hidden';
        page.dispatchEvent(new Event('visibilitychange'));
      },
      () => view.dispatchEvent(new Event('online')),
    ].entries()) {
      await at.does(act);
      await settle();
      expect(saved).toHaveLength(index);
      await write('titolo', `Città ${index}`);
      await at.does(act);
      await settle();
      expect(saved).toHaveLength(index + 1);
    }
    page.visibilityState = 'visible';
    await write('titolo', 'Ancora');
    await at.does(() => page.dispatchEvent(new Event('visibilitychange')));
    expect(saved).toHaveLength(3);
  });

  test('only when its field is left, where half of it would do harm', async () => {
    await open({ savedWhenLeft: true });
    await write('titolo', 'Paris');
    await wait(60_000);
    expect(saved).toEqual([]);
    await at.does(() =>
      form()
        .input('titolo')
        .onBlur({} as never),
    );
    await settle();
    expect(saved).toHaveLength(1);
  });

  test('not what can’t be saved', async () => {
    await open();
    for (const text of ['Troppo lungo davvero', ' ']) {
      await write('titolo', text);
      await at.does(() =>
        form()
          .input('titolo')
          .onBlur({} as never),
      );
      await wait(60_000);
      expect([saved, form().saveQuietly]).toEqual([[], null]);
    }
  });

  test('with spaces around it as they were written, nothing is unsaved; saved by hand they go', async () => {
    await open();
    await write('nota', 'Bella ');
    await wait(60_000);
    expect([form().dirty, saved]).toEqual([false, []]);
    await write('titolo', ' Paris ');
    await wait(1_000);
    expect(form().values).toEqual({ titolo: ' Paris ', nota: 'Bella ' });
    await write('titolo', ' London ');
    await press();
    expect(form().values).toEqual({ titolo: 'London', nota: 'Bella' });
  });
});

describe('asked to save', () => {
  test('it says that it has', async () => {
    await open();
    await write('titolo', 'Paris');
    await press();
    expect([said, saved.length]).toEqual([['success: Salvato.'], 1]);
  });

  test('while it is on its way of itself, that one says so', async () => {
    await open();
    await write('titolo', 'Paris');
    await at.does(() => {
      form()
        .input('titolo')
        .onBlur({} as never);
      form().save();
    });
    await settle();
    expect([said, saved.length]).toEqual([['success: Salvato.'], 1]);
    await write('titolo', 'London');
    await wait(1_000);
    expect(said).toHaveLength(1);
  });

  test('what hinders it is said, at its field and as a notice, and only then', async () => {
    await open();
    const errors = () => [form().input('titolo').error, form().input('nota').error];
    await write('titolo', 'Troppo lungo davvero');
    expect(errors()).toEqual([undefined, undefined]);
    await press();
    expect([errors(), said, saved]).toEqual([['Troppo lungo.', undefined], ['error: Troppo lungo.'], []]);
    expect(focus).toHaveBeenCalledOnce();
    await write('titolo', 'Corto');
    expect(errors()).toEqual([undefined, undefined]);
    await press();
    expect(said).toEqual(['error: Troppo lungo.', 'success: Salvato.']);
  });

  test('Enter in a form whose button is off tells why; in any other the browser sends it', async () => {
    const blank = { sentence: 'Serve un titolo.', fields: ['titolo' as const] };
    await open({ validate: ({ titolo }) => (titolo === '' ? blank : null) });
    const enter = (key: string, target: unknown) =>
      at.does(() =>
        form()
          .input('titolo')
          .onKeyDown({ key, target } as never),
      );
    await enter('Enter', new EventTarget());
    expect(said).toEqual([]);
    expect(form().wanting).toBeNull();
    await write('titolo', '');
    expect([form().wanting, form().blocked, form().input('titolo').error]).toEqual([
      'Serve un titolo.',
      true,
      'Serve un titolo.',
    ]);
    await enter('a', new EventTarget());
    await enter('Enter', {});
    expect(said).toEqual([]);
    await enter('Enter', new EventTarget());
    expect(said).toEqual(['error: Serve un titolo.']);
  });
});

describe('what fails', () => {
  test('is said once while it goes on, and tried again only by another word, the network or a hand', async () => {
    await open();
    failWith(new Failure('NETWORK', 'Sei senza rete.'));
    await write('titolo', 'Paris');
    await wait(1_000);
    expect([said, form().failure, form().saveState]).toEqual([
      ['error: Sei senza rete.'],
      'Sei senza rete.',
      'unsaved',
    ]);
    await wait(60_000);
    await at.does(() =>
      form()
        .input('titolo')
        .onBlur({} as never),
    );
    page.visibilityState = 'hidden';
    await at.does(() => page.dispatchEvent(new Event('visibilitychange')));
    await settle();
    expect(saved).toHaveLength(1);
    await write('titolo', 'Pari');
    await wait(1_000);
    await at.does(() => view.dispatchEvent(new Event('online')));
    await settle();
    expect([saved.length, said.length]).toEqual([3, 1]);
    await press();
    expect([saved.length, said.length]).toEqual([4, 2]);
    failWith(null);
    await at.does(() => view.dispatchEvent(new Event('online')));
    await settle();
    expect([form().failure, form().saveState]).toEqual([null, 'saved']);
    failWith(new Failure('NETWORK', 'Sei senza rete.'));
    await write('titolo', 'Lione');
    await wait(1_000);
    // Another time is another word.
    expect(said).toHaveLength(3);
  });

  test('because it is gone is said in its own words, and what was read is read again', async () => {
    await open();
    const invalidated = vi.spyOn(client, 'invalidateQueries');
    failWith(new Failure('NOT_FOUND', 'No.'));
    await write('titolo', 'Paris');
    await wait(1_000);
    expect(invalidated.mock.calls.map(([which]) => which?.queryKey)).toEqual([KEY]);
    expect(said[0]).not.toContain('No.');
  });
});

test('what was emptied can be taken back, also where it saved itself', async () => {
  await open();
  putIntoBin(['b1']);
  await write('nota', '');
  await wait(1_000);
  expect(said).toEqual([expect.stringMatching(/^success with undo: /)]);
  await write('nota', 'Di nuovo');
  await press();
  expect(said[1]).toBe('success with undo: Salvato.');
});

describe('two hands', () => {
  test('what others wrote elsewhere comes in, and what is written here stays', async () => {
    await open();
    await write('titolo', 'Paris');
    others({ nota: 'Nuova' });
    await wait(1_000);
    expect(saved.map(({ versione }) => versione)).toEqual([1, 2]);
    expect([form().values, form().saveState]).toEqual([{ titolo: 'Paris', nota: 'Nuova' }, 'saved']);
  });

  test('a newer reading is taken where nothing is unsaved', async () => {
    await open();
    others({ titolo: 'Lione' });
    await readAgain();
    expect([form().values.titolo, form().dirty]).toEqual(['Lione', false]);
    await write('titolo', 'Paris');
    others({ altro: 'y' });
    await readAgain();
    expect([form().values.titolo, form().record.versione]).toEqual(['Paris', 3]);
    others({ titolo: 'Milano' });
    await readAgain();
    // The same field: its version must say so to the server.
    expect([form().values.titolo, form().record.versione]).toEqual(['Paris', 3]);
  });

  test.each<['mine' | 'theirs', string, number]>([
    ['mine', 'Paris', 3],
    ['theirs', 'Lione', 2],
  ])('where both wrote the same it asks, and stores %s', async (whose, titolo, versione) => {
    await open();
    await write('titolo', 'Paris');
    others({ titolo: 'Lione' });
    await wait(1_000);
    expect([form().conflict?.fields, form().conflict?.theirs.titolo]).toEqual([['titolo'], 'Lione']);
    expect([form().saveState, form().blocked, there.titolo, saved.length]).toEqual([
      'conflict',
      true,
      'Lione',
      1,
    ]);
    await wait(60_000);
    expect(saved).toHaveLength(1);
    await at.does(() => form().choose('titolo', whose));
    await settle();
    expect([form().conflict, form().values.titolo, there]).toMatchObject([
      undefined,
      titolo,
      { titolo, versione },
    ]);
  });

  test('it asks for each of them, and stores what was chosen once all are', async () => {
    await open();
    await write('titolo', 'Paris');
    await write('nota', 'Mia');
    others({ titolo: 'Lione', nota: 'Loro' });
    await wait(1_000);
    await at.does(() => form().choose('nota', 'theirs'));
    expect([form().conflict?.fields, saved.length]).toEqual([['titolo'], 1]);
    await at.does(() => form().choose('titolo', 'mine'));
    await settle();
    expect(there).toMatchObject({ titolo: 'Paris', nota: 'Loro' });
  });
});
