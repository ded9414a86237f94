import { expect, test, vi } from 'vitest';
import { PAGES } from '../../src/contract/pages.ts';
import { dashboardTexts } from '../../src/texts/admin/dashboard.ts';
import { commonTexts } from '../../src/texts/admin/forms.ts';
import { adminMenu, adminPageTexts } from '../../src/texts/admin/pages.ts';
import { signInTexts } from '../../src/texts/admin/sign-in.ts';
import { slotTexts } from '../../src/texts/admin/slots.ts';
import { networkTexts } from '../../src/texts/dates.ts';
import { ADMIN_PAGES } from '../../src/web/admin/pages.ts';
import { defaults, refused, sentence } from '../support/admin-answers.ts';
import { networkReturns, press } from '../support/admin-hand.ts';
import { alerts, control, pageText } from '../support/admin-look.ts';
import { answerWith, arrived, openPage, takeNotices } from '../support/admin-page.tsx';

test('has each address in one entry of the menu', () => {
  const addresses = adminMenu.flatMap(({ links }) => Object.keys(links));
  expect(addresses.filter((address) => !address.includes('#')).toSorted()).toEqual(
    PAGES.filter((path) => path.startsWith('/admin/')).toSorted(),
  );
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

test('shows an error in place of a page whose code can’t be fetched, until the network returns', async () => {
  await openPage('/admin/cestino', {}, { framed: true });
  await arrived();
  const load = vi.spyOn(ADMIN_PAGES['/admin/musica'], 'load').mockRejectedValue(new TypeError('lost'));
  await press('Musica');
  await arrived();
  expect(alerts()).toEqual([networkTexts.offline + commonTexts.retry]);
  load.mockRestore();
  await networkReturns();
  await arrived();
  expect(control(slotTexts.canzone.choose)).toBeDefined();
});
