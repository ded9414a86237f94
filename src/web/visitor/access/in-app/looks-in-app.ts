const NAMES =
  /Instagram|FBA[NV]|FB_IAB|Messenger|; wv\)|Telegram|Line\/|WhatsApp|TikTok|musical_ly|BytedanceWebview|Snapchat|MicroMessenger|LinkedInApp/i;

/** Cheap first look: is this the browser inside an app? On an iPhone such browsers leave `Safari` out of their name. */
export function looksInApp(): boolean {
  const { userAgent } = navigator;
  const nakedWebKit = /iPhone|iPad/.test(userAgent) && !/Safari\//.test(userAgent);
  return (
    NAMES.test(userAgent) || nakedWebKit || 'TelegramWebviewProxy' in window || 'TelegramWebview' in window
  );
}
