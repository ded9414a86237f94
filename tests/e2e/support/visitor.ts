import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { collectErrors, expect, still } from './stage.ts';

/** Opens a visitor's phone next to the administrator's screen, without motion and with a controlled clock. Its errors fail the test too. */
export async function withPhone(
  browser: Browser,
  use: (phone: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    ...still.contextOptions,
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
