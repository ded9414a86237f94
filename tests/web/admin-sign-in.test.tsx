import { fireEvent } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { archiveTexts } from '../../src/texts/admin/archive.ts';
import { commonTexts } from '../../src/texts/admin/forms.ts';
import { signInTexts as texts } from '../../src/texts/admin/sign-in.ts';
import { defaults, refused, sentence, storingServer, unreadable } from '../support/admin-answers.ts';
import { expectNotices, press, submit, write } from '../support/admin-hand.ts';
import { dialog, dialogs, field, pageText } from '../support/admin-look.ts';
import { answerWith, arrived, openPage, pass, sent, takeNotices } from '../support/admin-page.tsx';

const IN = 'POST /api/auth/sign-in/email';
const UP = 'POST /api/auth/sign-up/email';
const OUT = { me: refused('SIGN_IN_REQUIRED') };

/** Opens the sign-in page by the product's own routes. */
async function openSignInPage(registration: Partial<typeof defaults.registration> = {}) {
  const page = await openPage(
    '/admin',
    { ...OUT, registration: { ...defaults.registration, ...registration } },
    { framed: true },
  );
  await arrived();
  return page;
}

test('signs in, and shows which field was refused and why', async () => {
  const { at } = await openSignInPage();
  expect([document.title, pageText().includes(texts.signIn.toggle)]).toEqual([texts.signIn.title, false]);
  for (const [label, email] of [
    [texts.email, ' '],
    [texts.password, 'marco@esempio.it'],
  ] as const) {
    write(texts.email, email);
    await submit(texts.email);
    expect([takeNotices(), sent(IN), document.activeElement]).toEqual([
      [`✗ ${texts.missing}`],
      [],
      field(label),
    ]);
  }
  write(texts.email, ' marco@esempio.it ');
  write(texts.password, ' segreta ');
  for (const [answered, why, label] of [
    [refused('BAD_CREDENTIALS'), sentence('BAD_CREDENTIALS'), texts.password],
    [refused('BAD_INPUT'), texts.notAnEmail, texts.email],
    [unreadable, texts.signInFailed, texts.password],
  ] as const) {
    answerWith({ [IN]: answered });
    await submit(texts.email);
    expect([takeNotices(), document.activeElement]).toEqual([[`✗ ${why}`], field(label)]);
  }
  answerWith({ [IN]: { email: 'marco@esempio.it' }, me: defaults.me });
  await submit(texts.email);
  await arrived();
  expect(sent(IN).at(-1)).toEqual({ email: 'marco@esempio.it', password: 'segreta' });
  expect([takeNotices(), at().pathname]).toEqual([[texts.signedIn], '/admin/dashboard']);
});

test('registers the first administrator, with the setup code if required', async () => {
  await openSignInPage({ registration_open: true, first: true, setup_code_required: true });
  expect(pageText()).toContain(texts.signUp.title + texts.signUp.hint);
  write(texts.password, '123456789');
  expect(pageText()).toContain(texts.passwordRule(10, 9));
  write(texts.email, 'marco@esempio.it');
  write(texts.setupCode, ' 4711 ');
  for (const [answered, why, label] of [
    [refused('SETUP_CODE_WRONG'), sentence('SETUP_CODE_WRONG'), texts.setupCode],
    [refused('WEAK_PASSWORD'), sentence('WEAK_PASSWORD'), texts.password],
  ] as const) {
    answerWith({ [UP]: answered });
    await submit(texts.email);
    expect([takeNotices(), document.activeElement]).toEqual([[`✗ ${why}`], field(label)]);
  }
  const body = {
    email: 'marco@esempio.it',
    password: '123456789',
    setup_code: '4711',
    name: 'marco@esempio.it',
  };
  expect(sent(UP).at(-1)).toEqual(body);
  // Another administrator has registered in the meantime.
  answerWith({ [UP]: refused('REGISTRATION_CLOSED'), registration: defaults.registration });
  await submit(texts.email);
  expect(takeNotices()).toEqual([`✗ ${sentence('REGISTRATION_CLOSED')}`]);
  expect(pageText()).toContain(texts.signIn.title);

  await openSignInPage({ registration_open: true });
  expect(pageText()).toContain(texts.signIn.title);
  await press(texts.signIn.toggle);
  expect(pageText()).toContain(texts.signUp.title);
  await press(texts.signUp.toggle);
  expect(pageText()).toContain(texts.signIn.submit);
});

test('restores an archive, which is uploaded once despite mistyped passphrases', async () => {
  const { restore } = archiveTexts;
  await openSignInPage({ registration_open: true, first: true, restorable: true });
  const put: string[] = [];
  let status = 200;
  class Sending extends EventTarget {
    upload = new EventTarget();
    responseText = '';
    get status() {
      return status;
    }
    open(method: string, url: string) {
      put.push(`${method} ${url}`);
    }
    setRequestHeader() {}
    send() {
      this.dispatchEvent(new Event('load'));
    }
  }
  vi.stubGlobal('XMLHttpRequest', Sending);
  await press(restore.open);
  await arrived();
  expect([document.title, pageText()]).toEqual([restore.title, expect.stringContaining(restore.hint)]);
  await submit(restore.passphrase);
  expect([takeNotices(), sent('restore.begin')]).toEqual([[`✗ ${restore.fileRequired}`], []]);
  const input = document.querySelector('input[type="file"]') ?? expect.unreachable();
  fireEvent.change(input, { target: { files: [new File(['archivio'], 'copia.zip')] } });
  write(restore.passphrase, ' una frase ');
  answerWith({ 'restore.begin': { id: 'a1' } });
  const codes = ['PASSPHRASE_WRONG', 'ARCHIVE_DAMAGED'] as const;
  const attempts = codes.map((code): [unknown, string] => [refused(code), `✗ ${sentence(code)}`]);
  await expectNotices('restore.carryOut', () => submit(restore.passphrase), attempts);
  expect([sent('restore.begin'), put]).toEqual([[{ size: 8 }], ['PUT /api/admin/restore/a1']]);
  status = 502;
  await submit(restore.passphrase);
  expect([takeNotices(), put.length]).toEqual([[`✗ ${restore.restoreFailed}`], 2]);
  status = 413;
  await submit(restore.passphrase);
  expect(takeNotices()).toEqual([`✗ ${restore.proxyLimit}`]);
  status = 200;
  answerWith({
    'restore.carryOut': { created_at: '', files: 3, missing: ['film.mp4'] },
    registration: defaults.registration,
  });
  await submit(restore.passphrase);
  expect(sent('restore.carryOut').at(-1)).toEqual({ id: 'a1', passphrase: ' una frase ' });
  expect(takeNotices()).toEqual([restore.done, `✗ ${restore.missing(['film.mp4'])}`]);
  expect(pageText()).toContain(texts.signIn.title);
});

test('shows the sign-in dialog over the page when the session has ended, and repeats the save', async () => {
  const { signInAgain } = commonTexts;
  const server = storingServer();
  await openPage('/admin/video-button', { ...server.answers, [IN]: refused('BAD_CREDENTIALS') });
  answerWith({ 'config.save': refused('SIGN_IN_REQUIRED') });
  write('Testo del pulsante', 'Vai');
  await pass(1_000);
  await pass(500);
  expect(dialog().textContent).toContain(signInAgain.title + signInAgain.hint);
  write(texts.password, 'sbagliata', dialog());
  await submit(texts.password, dialog());
  expect(dialog().textContent).toContain(sentence('BAD_CREDENTIALS'));
  answerWith({ ...server.answers, [IN]: { email: 'marco@esempio.it' } });
  write(texts.password, ' giusta ', dialog());
  await submit(texts.password, dialog());
  expect(sent(IN).at(-1)).toEqual({ email: '', password: 'giusta' });
  expect(server.config.video_button_text).toBe('Vai');
  expect(await dialogs()).toBe(0);
  // Declining leaves the input in its field, and the next save is sent again.
  answerWith({ 'config.save': refused('SIGN_IN_REQUIRED') });
  write('Testo del pulsante', 'Poi');
  await pass(1_000);
  await pass(500);
  await press(commonTexts.cancel, dialog());
  expect(await dialogs()).toBe(0);
  expect(takeNotices()).toEqual([`✗ ${sentence('SIGN_IN_REQUIRED')}`]);
  expect(field('Testo del pulsante').value).toBe('Poi');
  answerWith(server.answers);
  await submit('Testo del pulsante');
  expect(server.config.video_button_text).toBe('Poi');
});
