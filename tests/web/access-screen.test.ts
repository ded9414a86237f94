import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { prerender } from '../../src/web/prerender.tsx';
import InAppHint from '../../src/web/visitor/access/in-app/hint.tsx';
import { looksInApp } from '../../src/web/visitor/access/in-app/looks-in-app.ts';

/** The access screen as it is delivered, before any script runs, and the card that proposes the phone's own browser. */

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME = 'Version/4.0 Chrome/130.0.6723.58 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';

afterEach(() => vi.unstubAllGlobals());

test('asks for the special code, and says how long the site stays open where no date is known', () => {
  vi.stubGlobal('navigator', { userAgent: CHROME });
  const page = prerender();
  const label = /<label [^>]*for="([^"]+)"[^>]*>([^<]+)<\/label>/.exec(page);
  expect(label?.[2]).toBe('Inserisci il codice speciale che hai ricevuto');
  expect(page).toMatch(new RegExp(`<input [^>]*id="${label?.[1]}"[^>]* placeholder="Il tuo codice"`));
  expect(page).toContain('Una Sorpresa per Te</h1>');
  expect(page).toMatch(/<button [^>]*type="submit"[^>]*>(<span[^>]*>)?Scopri la Sorpresa</);
  expect(page).toMatch(
    /<footer[^>]*>Il contenuto di questo sito è riservato\. Resterà disponibile fino a 48 ore dopo la data di laurea\.<\/footer>/,
  );
});

type Phone = { userAgent: string; window?: object };

function onPhone({ userAgent, window = {} }: Phone): void {
  vi.stubGlobal('location', { origin: 'https://sorpresa.example' });
  vi.stubGlobal('navigator', { userAgent });
  vi.stubGlobal('window', { navigator: { userAgent }, document: {}, ...window });
}

describe('inside an app she is told where it hides «open in the browser»', () => {
  test.each<[app: string, phone: Phone, path: string]>([
    [
      'Instagram',
      { userAgent: `${IPHONE} Instagram 380.0.0.28.81 (iPhone14,5; iOS 18_5; it_IT; it; scale=3.00)` },
      'Tocca ••• in alto a destra › Apri nel browser esterno',
    ],
    [
      'Facebook',
      { userAgent: `${ANDROID} ${CHROME} [FB_IAB/FB4A;FBAV/490.0.0.63.82;]` },
      'Tocca ••• in alto a destra › Apri nel browser',
    ],
    [
      'Messenger',
      { userAgent: `${IPHONE} [FBAN/MessengerLiteForiOS;FBAV/480.0.0.35.105;FBLC/it_IT]` },
      'Tocca ••• in alto a destra › Apri nel browser',
    ],
    [
      'Telegram on an iPhone',
      { userAgent: IPHONE, window: { TelegramWebviewProxy: {} } },
      'Tocca ⋮ in alto a destra › Apri in Safari',
    ],
    [
      'Telegram',
      { userAgent: `${ANDROID} ${CHROME}`, window: { TelegramWebview: {} } },
      'Tocca ⋮ in alto a destra › Apri in Chrome',
    ],
    ['WhatsApp', { userAgent: `${IPHONE} WAiOS/25.3.80 WhatsApp/25.3.80` }, 'Tocca ••• › Apri in Safari'],
    [
      'TikTok',
      { userAgent: `${IPHONE} musical_ly_37.4.0 JsSdk/2.0 BytedanceWebview/d8a21c6` },
      'Tocca ••• in alto a destra › Apri nel browser',
    ],
    [
      'LINE',
      { userAgent: `${ANDROID} ${CHROME} Line/14.19.0/IAB` },
      'Tocca ⋮ › Apri nel browser predefinito',
    ],
    [
      'another',
      { userAgent: `${ANDROID} ${CHROME}` },
      'Dal menu ••• scegli Apri nel browser, o incolla il link in Chrome',
    ],
  ])('%s', (_app, phone, path) => {
    onPhone(phone);
    expect(looksInApp()).toBe(true);
    expect(renderToStaticMarkup(createElement(InAppHint))).toContain(`>${path}</p>`);
  });

  test.each([
    [
      `${IPHONE} Instagram 445.0 (iPhone14,5)`,
      'instagram://extbrowser/?url=https%3A%2F%2Fsorpresa.example%2F',
    ],
    [`${ANDROID} ${CHROME} Instagram 445.0`, 'instagram://extbrowser/?url=https%3A%2F%2Fsorpresa.example%2F'],
    [`${IPHONE} WAiOS/25.3.80 WhatsApp/25.3.80`, 'x-safari-https://sorpresa.example/'],
    [
      `${ANDROID} ${CHROME}`,
      'intent://sorpresa.example/#Intent;scheme=https;action=android.intent.action.VIEW;end',
    ],
    [`${ANDROID} ${CHROME} Line/14.19.0/IAB`, 'https://sorpresa.example/?openExternalBrowser=1'],
    [`${ANDROID} ${CHROME} [FB_IAB/FB4A;FBAV/490.0.0.63.82;]`, null],
  ])('with a link where one is known to lead out: %s', (userAgent, href) => {
    onPhone({ userAgent });
    const shown = renderToStaticMarkup(createElement(InAppHint));
    expect(/<a [^>]*href="([^"]*)"[^>]*>Apri nel browser<\/a>/.exec(shown)?.[1] ?? null).toBe(href);
    expect(shown).toContain('>Continua qui</button>');
  });

  test.each([
    ['Safari', `${IPHONE.replace(' Mobile', ' Version/18.5 Mobile')} Safari/604.1`],
    [
      'Chrome',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
    ],
  ])('and in %s itself nothing is proposed', (_name, userAgent) => {
    onPhone({ userAgent });
    expect(looksInApp()).toBe(false);
  });
});
