import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { collectErrors, expect } from './stage.ts';

export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

/** Opens a visitor's phone next to the administrator's screen, with a controlled clock. Its errors fail the test too. */
export async function withPhone(
  browser: Browser,
  use: (phone: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    ...options,
  });
  const errors: string[] = [];
  await collectErrors(context, errors);
  try {
    const phone = await context.newPage();
    await phone.clock.install();
    await use(phone);
  } finally {
    await context.close();
  }
  expect(errors).toEqual([]);
}
