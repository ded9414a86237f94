import { expect, test, vi } from 'vitest';
import type { SharingState } from '../../src/contract/admin/site-address.ts';
import { onlineCheckTexts, siteAddressTexts as texts } from '../../src/texts/admin/site-address.ts';
import { defaults, refused, sentence, unreadable } from '../support/admin-answers.ts';
import { press, submit, write } from '../support/admin-hand.ts';
import { alerts, dialog, field, pageText } from '../support/admin-look.ts';
import { answerWith, openPage, pass, sent, takeNotices } from '../support/admin-page.tsx';

const off: SharingState = defaults['sharing.read'];
const ADDRESS = 'https://winter-light.trycloudflare.com';
const online: SharingState = { ...off, state: 'online', address: ADDRESS };
const open = (sharing: SharingState) => openPage('/admin/rete', { 'sharing.read': sharing });

test.each<[string, SharingState, string[], string[]]>([
  [
    'a button, and what it does',
    off,
    [texts.off.what, texts.off.through.cloudflare, texts.off.awake, texts.off.start, texts.helper.lead],
    [texts.off.download, texts.off.installLink],
  ],
  ['what will be fetched', { ...off, needs: 'download' }, [texts.off.download, texts.off.start], []],
  [
    'what to install where nothing can be fetched',
    { ...off, needs: 'install' },
    [texts.off.install, texts.off.installLink],
    [texts.off.start],
  ],
  [
    'what it waits for',
    { ...off, state: 'starting' },
    [texts.starting.title, texts.starting.program, texts.starting.cancel],
    [texts.off.start, texts.helper.lead],
  ],
  [
    'the page that Tailscale wants opened',
    { ...off, state: 'starting', enable: 'https://login.tailscale.com/f/funnel?node=1' },
    [texts.starting.enable, texts.starting.enableLink],
    [],
  ],
  [
    'an address that isn’t reached yet, and why',
    { ...off, state: 'reaching', address: ADDRESS, trouble: 'unreachable' },
    [texts.starting.reaching(ADDRESS), texts.troubles.unreachable],
    [],
  ],
  ['that its address may change', online, [texts.online.changes], [texts.off.start]],
  ['that its address stays', { ...online, keeps_address: true }, [texts.online.keeps], []],
])('shows %s', async (_what, sharing, shown, hidden) => {
  await open(sharing);
  expect(shown.filter((text) => !pageText().includes(text))).toEqual([]);
  expect(hidden.filter((text) => pageText().includes(text))).toEqual([]);
});

test('starts sharing, shows the address and stops sharing', async () => {
  await openPage('/admin/rete', { 'sharing.read': off }, { framed: true });
  answerWith({
    'sharing.start': { ...off, state: 'starting' },
    'sharing.read': { ...off, state: 'starting' },
  });
  await press(texts.off.start);
  expect(pageText()).toContain(texts.starting.title);
  answerWith({ 'sharing.read': online });
  await pass(1_000);
  expect(document.querySelector(`[aria-label="${texts.qr(ADDRESS)}"]`)).not.toBeNull();
  // All links depend on the site address, so it is requested again.
  expect(sent('me').length).toBeGreaterThan(1);
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press(texts.online.copy);
  expect([writeText.mock.lastCall, takeNotices()]).toEqual([[ADDRESS], [texts.online.copied]]);
  answerWith({ 'sharing.stop': off, 'sharing.read': off });
  await press(texts.online.stop);
  expect(dialog().textContent).toContain(texts.online.stopDetail);
  await press(texts.online.stop, dialog());
  expect(pageText()).toContain(texts.off.start);
});

test('shows why sharing failed, and starts it again', async () => {
  await open({ ...off, state: 'trouble', trouble: 'checksum' });
  expect(alerts()).toEqual([texts.troubles.checksum]);
  answerWith({ 'sharing.start': refused('UNAVAILABLE') });
  await press(texts.again);
  expect(takeNotices()).toEqual([`✗ ${sentence('UNAVAILABLE')}`]);
});

test('warns that a shared link no longer works, until the new one was shared', async () => {
  await open({ ...online, lost_address: 'https://old.trycloudflare.com' });
  expect(alerts().join()).toContain(texts.lost.title);
  answerWith({ 'sharing.given': online, 'sharing.read': online });
  await press(texts.lost.sent);
  expect(alerts()).toEqual([]);
});

test('links to the page for server owners, and checks an address from outside', async () => {
  const { router } = await open(off);
  expect(pageText()).not.toContain(onlineCheckTexts.title);
  await press(texts.helper.lead);
  expect([router.state.location.search, pageText()]).toEqual([
    '?server',
    expect.stringContaining('HTTPS_DOMAIN'),
  ]);
  write(onlineCheckTexts.label, 'ftp://x');
  await submit(onlineCheckTexts.label);
  expect([sent('address.check'), pageText()]).toEqual([
    [],
    expect.stringContaining(onlineCheckTexts.invalid),
  ]);
  const check = {
    found: 'ours',
    led_to: null,
    ip: '203.0.113.7',
    own: false,
    certificate: null,
    http: 'stays',
  } as const;
  answerWith({ 'address.check': { address: 'http://sera.example', ...check } });
  write(onlineCheckTexts.label, ' sera.example/qui?x ');
  await submit(onlineCheckTexts.label);
  expect(sent('address.check')).toEqual([{ address: 'https://sera.example' }]);
  const marks = [...document.querySelectorAll('li > [role="img"]')].map((one) =>
    one.getAttribute('aria-label'),
  );
  const { good, note } = onlineCheckTexts.marks;
  expect(marks).toEqual([good, note, note]);
  expect(pageText()).toContain(onlineCheckTexts.phone);
  answerWith({ 'address.check': unreadable });
  await press(onlineCheckTexts.again);
  expect(takeNotices()).toEqual([`✗ ${onlineCheckTexts.failed}`]);
  await press(texts.helper.back);
  expect(router.state.location.search).toBe('');
});

test('shows the public address, or that the site opens only here, if sharing is unavailable', async () => {
  await open({ ...off, available: false });
  expect(pageText()).toContain(texts.public('https://sorpresa.example') + onlineCheckTexts.title);
  expect(field(onlineCheckTexts.label).value).toBe('https://sorpresa.example');
  await openPage('/admin/rete', {
    me: { ...defaults.me, public_url: 'http://localhost:3000' },
    'sharing.read': { ...off, available: false },
  });
  expect(pageText()).toContain(texts.notices.machine + texts.notices.detail);
});
