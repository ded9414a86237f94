import { expect, test } from 'vitest';
import { PAGES } from '../../src/contract/pages.ts';
import { dashboardTexts } from '../../src/texts/admin/dashboard.ts';
import { commonTexts } from '../../src/texts/admin/forms.ts';
import { adminMenu, adminPageTexts } from '../../src/texts/admin/pages.ts';
import { signInTexts } from '../../src/texts/admin/sign-in.ts';
import { defaults, refused, sentence } from '../support/admin-answers.ts';
import { press } from '../support/admin-hand.ts';
import { alerts, control, pageText } from '../support/admin-look.ts';
import { answerWith, arrived, openPage, takeNotices } from '../support/admin-page.tsx';

test('has twelve entries in the menu, and each address in one of them', () => {
  expect(adminMenu.map(({ title }) => title)).toEqual([
    'Home',
    'Per chi e quando',
    'Video',
    'Frasi',
    'Musica',
    'Primo viaggio',
    'Secondo viaggio',
    'Domande e risposte',
    'Codici',
    'Quella sera',
    'Prova e controlla',
    'Impostazioni',
  ]);
  const addresses = adminMenu.flatMap(({ links }) => Object.keys(links));
  expect(addresses.filter((address) => !address.includes('#')).toSorted()).toEqual(
    PAGES.filter((path) => path.startsWith('/admin/')).toSorted(),
  );
});

/** Everyday questions, with the two taps that answer them: an entry of the menu, and a link at the head of its page. */
const QUESTIONS: [question: string, entry: string, link: string, address: string][] = [
  ['Dove scrivo per chi è?', 'Per chi e quando', 'La serata', '/admin/serata'],
  ['Dove cambio l’ora di apertura?', 'Per chi e quando', 'La serata', '/admin/serata'],
  ['Dove cambio il vestito?', 'Per chi e quando', 'La serata', '/admin/serata'],
  ['Dove cambio il video?', 'Video', 'Video', '/admin/video'],
  ['Dove cambio le parole del pulsante?', 'Video', 'Pulsante', '/admin/video-button'],
  ['Dove scrivo le frasi prima del video?', 'Frasi', 'Prima e dopo il video', '/admin/frasi'],
  ['Dove scrivo il finale?', 'Frasi', 'Finali', '/admin/frasi-finali'],
  ['Dove scrivo le frasi tra i viaggi?', 'Frasi', 'Tra i viaggi', '/admin/intermediate-phrases'],
  ['Dove cambio la canzone?', 'Musica', 'Musica', '/admin/musica'],
  ['Dove cambio la data del viaggio?', 'Primo viaggio', 'Date', '/admin/biglietti#date'],
  ['Dove metto i biglietti?', 'Primo viaggio', 'Biglietti', '/admin/biglietti'],
  ['Dove metto il secondo viaggio?', 'Secondo viaggio', 'Secondo viaggio', '/admin/second-trip-details'],
  ['Dove scrivo le due domande?', 'Domande e risposte', 'Primo viaggio', '/admin/checkbox'],
  ['Dove creo un codice?', 'Codici', 'Codici', '/admin/token'],
  ['Dove vedo le risposte?', 'Quella sera', 'Risposte', '/admin/sessions#risposte'],
  ['Dove vedo chi è entrato?', 'Quella sera', 'Registro', '/admin/logs'],
  ['Dove faccio una prova?', 'Prova e controlla', 'Prova generale', '/admin/preview#prova'],
  ['Come so se è tutto pronto?', 'Prova e controlla', 'Pronta?', '/admin/pronta'],
  ['Dove cambio la password?', 'Impostazioni', 'Accesso', '/admin/accesso'],
  ['Dove recupero quello che ho eliminato?', 'Impostazioni', 'Cestino', '/admin/cestino'],
];

test.each(QUESTIONS)('answers «%s» in two taps: %s, %s', (_question, entry, link, address) => {
  const { links } = adminMenu.find(({ title }) => title === entry) ?? expect.unreachable();
  expect(Object.entries(links)).toContainEqual([address, link]);
});

test('leads each link of a section to its heading', async () => {
  const addresses = adminMenu.flatMap(({ links }) => Object.keys(links));
  for (const address of addresses.filter((each) => each.includes('#'))) {
    await openPage(address);
    expect([address, document.activeElement?.tagName]).toEqual([address, 'H2']);
  }
});

test('links every page to the others, and returns to the sign-in page after sign-out', async () => {
  const { at } = await openPage(
    '/admin/dashboard',
    { 'POST /api/auth/sign-out': refused('UNAVAILABLE') },
    { framed: true },
  );
  await arrived();
  await arrived();
  const nav = document.querySelector(`nav[aria-label="${commonTexts.navigation}"]`) ?? expect.unreachable();
  const marked = () =>
    [...document.querySelectorAll('nav [aria-current]')].map((link) => [
      link.textContent,
      link.getAttribute('aria-current'),
    ]);
  expect(marked()).toEqual([['Home', 'page']]);
  expect([...nav.querySelectorAll('a')].map(({ textContent }) => textContent)).toContain('Per chi e quando');
  const cards = document.querySelector(`[aria-label="${dashboardTexts.pages}"]`)?.textContent;
  for (const { title, description } of Object.values(adminPageTexts))
    expect(cards).toContain(title + description);
  expect(pageText()).toContain(dashboardTexts.title + defaults.me.email);

  await press('Video', nav);
  await arrived();
  expect(at().pathname).toBe('/admin/video');
  expect(document.activeElement?.id).toBe('contenuto');
  expect(marked()).toEqual([
    ['Video', 'page'],
    ['Video', 'page'],
  ]);
  await press('Pulsante');
  await arrived();
  expect([at().pathname, marked()]).toEqual([
    '/admin/video-button',
    [
      ['Video', 'true'],
      ['Pulsante', 'page'],
    ],
  ]);
  await press('Video', nav);
  await arrived();
  // A page opened from the checklist shows its step number and a link onward.
  expect(control(/^Al pannello/).getAttribute('aria-label')).toMatch(/^Al pannello\. Passo 3 di \d+$/);
  await press(commonTexts.back);
  await arrived();

  await press(signInTexts.signOut);
  expect([at().pathname, takeNotices()]).toEqual(['/admin/dashboard', [`✗ ${sentence('UNAVAILABLE')}`]]);
  answerWith({ 'POST /api/auth/sign-out': {}, me: refused('SIGN_IN_REQUIRED') });
  await press(signInTexts.signOut);
  await arrived();
  expect([at().pathname, takeNotices()]).toEqual(['/admin', [signInTexts.signedOut]]);
  expect(pageText()).toContain(signInTexts.signIn.title);
  expect(alerts()).toEqual([]);
});
