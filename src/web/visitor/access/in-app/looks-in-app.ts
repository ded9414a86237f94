const NAMES =
  /Instagram|FBA[NV]|FB_IAB|Messenger|; wv\)|Line\/|WhatsApp|TikTok|musical_ly|BytedanceWebview|Snapchat|MicroMessenger|LinkedInApp/i;

/** Returns true in the browser of an app, by a cheap check. On iPhones the user agent of such browsers has no `Safari`. */
export function isInAppBrowser(): boolean {
  const { userAgent } = navigator;
  const nakedWebKit = /iPhone|iPad/.test(userAgent) && !/Safari\//.test(userAgent);
  return NAMES.test(userAgent) || nakedWebKit || isTelegram();
}

/** Returns true in Telegram's browser, whose user agent often has no name; the app adds global objects. */
export function isTelegram(): boolean {
  const left = 'TelegramWebviewProxy' in window || 'TelegramWebview' in window;
  return left || /Telegram/i.test(navigator.userAgent);
}
