import InAppSpy from 'inapp-spy';
import { type InApp, inAppPaths, type RealBrowser } from '../../../../texts/devices.ts';
import { isTelegram } from './looks-in-app.ts';

/** Returns the app whose browser this is, or 'other' if unknown. */
export function whichApp(): InApp {
  // Checked first: the library stops at a generic web view before it looks for Telegram.
  if (isTelegram()) return 'telegram';
  const { appKey } = InAppSpy();
  return appKey !== undefined && isKnown(appKey) ? appKey : 'other';
}

function isKnown(key: string): key is InApp {
  return key in inAppPaths;
}

/** Returns the default browser of this kind of phone. */
export function realBrowser(): RealBrowser {
  return /Android/i.test(navigator.userAgent) ? 'Chrome' : 'Safari';
}

/** Returns the menu path to «open in the browser» in this app. */
export const menuHint = (): string => inAppPaths[whichApp()](realBrowser());

type BrowserUrl = (page: URL) => string;

/** Instagram's undocumented scheme for both systems (Instagram 445, September 2026). */
const instagram: BrowserUrl = ({ href }) => `instagram://extbrowser/?url=${encodeURIComponent(href)}`;
/** LINE's documented parameter. */
const line: BrowserUrl = ({ href }) => `${href}?openExternalBrowser=1`;
/** Opens Safari on iOS. */
const safari: BrowserUrl = ({ href }) => `x-safari-${href}`;
/** Opens the default browser on Android. Meta's apps have ignored it since October 2024. */
const intent: BrowserUrl = ({ host, protocol }) =>
  `intent://${host}/#Intent;scheme=${protocol.slice(0, -1)};action=android.intent.action.VIEW;end`;

/**
 * Ways to leave an app's browser that are known to work, by system and app. They change with the apps' versions. Therefore they are
 * offered as a link next to the menu path and never used automatically.
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

/** Returns the address that opens the site in the phone's browser, or null if none is known. */
export function openInBrowserUrl(app: InApp, userAgent: string, origin: string): string | null {
  const system = /Android/i.test(userAgent) ? 'android' : 'ios';
  return WAYS[system][app]?.(new URL('/', origin)) ?? null;
}
