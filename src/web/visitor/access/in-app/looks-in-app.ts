const NAMES =
  /Instagram|FBA[NV]|FB_IAB|Messenger|; wv\)|Line\/|WhatsApp|TikTok|musical_ly|BytedanceWebview|Snapchat|MicroMessenger|LinkedInApp/i;

/** Cheap first look: is this the browser inside an app? On an iPhone such browsers leave `Safari` out of their name. */
export function isInAppBrowser(): boolean {
  const { userAgent } = navigator;
  const nakedWebKit = /iPhone|iPad/.test(userAgent) && !/Safari\//.test(userAgent);
  return NAMES.test(userAgent) || nakedWebKit || isTelegram();
}

/** Telegram's browser often bears no name of its own; what the app leaves in the page gives it away. */
export function isTelegram(): boolean {
  const left = 'TelegramWebviewProxy' in window || 'TelegramWebview' in window;
  return left || /Telegram/i.test(navigator.userAgent);
}
