import InAppSpy from 'inapp-spy';
import { type InApp, inAppPaths, type RealBrowser } from '../../../../texts/in-app.ts';
import { isTelegram } from './looks-in-app.ts';

/** The app whose browser this is, as far as it can be told. */
export function whichApp(): InApp {
  // Where it looks like any web view, the library stops before it looks for Telegram.
  if (isTelegram()) return 'telegram';
  const { appKey } = InAppSpy();
  return appKey !== undefined && isKnown(appKey) ? appKey : 'other';
}

function isKnown(key: string): key is InApp {
  return key in inAppPaths;
}

/** The browser that every phone of this kind has. */
export function realBrowser(): RealBrowser {
  return /Android/i.test(navigator.userAgent) ? 'Chrome' : 'Safari';
}

/** Where the app that this is in hides «open in the browser», in words. */
export const menuHint = (): string => inAppPaths[whichApp()](realBrowser());

type BrowserUrl = (page: URL) => string;

/** Instagram's own, undocumented; on both systems (Instagram 445, September 2026). */
const instagram: BrowserUrl = ({ href }) => `instagram://extbrowser/?url=${encodeURIComponent(href)}`;
/** LINE's own, documented. */
const line: BrowserUrl = ({ href }) => `${href}?openExternalBrowser=1`;
/** iOS opens Safari. */
const safari: BrowserUrl = ({ href }) => `x-safari-${href}`;
/** Android opens the browser of the phone's choice. Meta's apps stopped hearing it in October 2024. */
const intent: BrowserUrl = ({ host, protocol }) =>
  `intent://${host}/#Intent;scheme=${protocol.slice(0, -1)};action=android.intent.action.VIEW;end`;

/**
 * The ways out of an app's browser that are known to work, by system and app. They come and go with the apps' versions, so they are only
 * offered, as a link beside the app's own menu, and never taken by themselves; a way that has stopped is taken off here.
 */
const WAYS: Record<'ios' | 'android', Partial<Record<InApp, BrowserUrl>>> = {
  ios: {
    instagram,
    line,
    facebook: safari,
    messenger: safari,
    whatsapp: safari,
    telegram: safari,
    tiktok: safari,
    other: safari,
  },
  android: { instagram, line, telegram: intent, tiktok: intent, other: intent },
};

/** The address that opens the site in the phone's browser, or null where no way is known. */
export function openInBrowserUrl(app: InApp, userAgent: string, origin: string): string | null {
  const system = /Android/i.test(userAgent) ? 'android' : 'ios';
  return WAYS[system][app]?.(new URL('/', origin)) ?? null;
}
