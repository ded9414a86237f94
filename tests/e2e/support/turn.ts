import type { CDPSession, Page } from '@playwright/test';
import { probe } from './walk.ts';

const phones = new WeakMap<Page, CDPSession>();

/** Gives the phone another screen, in full screen as well, where a browser does not change the size of its window. */
export async function turnTo(page: Page, size: { width: number; height: number }): Promise<void> {
  if (!(await probe<boolean>(page, 'document.fullscreenElement !== null'))) {
    await page.setViewportSize(size);
    return;
  }
  const phone = phones.get(page) ?? (await page.context().newCDPSession(page));
  // What it says holds as long as it is there.
  phones.set(page, phone);
  await phone.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: true });
}
