import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import type { BidiFrame } from 'puppeteer-core/internal/bidi/Frame.js';
import { toolPath } from '../../../scripts/tools.mjs';
import { ANSWER_MS, type Engine, type Tab, VIEW } from './engine.ts';
import { KEEPER, START_MS } from './kept.ts';

/** Headless Firefox ESR, driven over WebDriver BiDi. */
export const firefox: Engine = {
  withoutNetwork: /NetworkError/,
  async start() {
    const downloads = await mkdtemp(join(tmpdir(), 'sorpresa-firefox-'));
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: KEEPER,
      env: { ...process.env, KEPT_PROGRAM: toolPath('engines', 'firefox') },
      headless: true,
      timeout: START_MS,
      protocolTimeout: ANSWER_MS,
      extraPrefsFirefox: {
        'browser.download.folderList': 2,
        'browser.download.dir': downloads,
        'media.autoplay.default': 1,
        'ui.prefersReducedMotion': 1,
        // Frames are expensive without a graphics card.
        'layout.frame_rate': 15,
      },
    });
    const close = async () => {
      await browser.close();
      await rm(downloads, { recursive: true, force: true });
    };
    try {
      // The initial page never has the focus, and is refused full screen.
      const page = await browser.newPage();
      await page.setViewport(VIEW);
      return { ...tabOf(browser, page, await browser.pages()), close };
    } catch (error) {
      await close();
      throw error;
    }
  },
};

function tabOf(browser: Browser, page: Page, own: readonly Page[]): Omit<Tab, 'close'> {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url ?? ''}`);
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return {
    open: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    async back() {
      // Not awaited: the reply comes a second after the press.
      frameOf(page)
        .browsingContext.traverseHistory(-1)
        .catch((error: unknown) => errors.push(String(error)));
    },
    tapAt: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    async read<T>(expression: string) {
      // Puppeteer's own `evaluate` would grant the page a gesture.
      const answer = await frameOf(page).browsingContext.defaultRealm.evaluate(
        `JSON.stringify({ value: ${expression} })`,
        false,
      );
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
      if (answer.result.type !== 'string') throw new Error(`The page answered ${answer.result.type}`);
      return (JSON.parse(answer.result.value) as { value: T }).value;
    },
    async returnFromDownload() {
      const others = async () => (await browser.pages()).filter((each) => !own.includes(each));
      const deadline = Date.now() + ANSWER_MS;
      while ((await others()).length === 0) {
        if (Date.now() > deadline) throw new Error('Firefox opened no tab for the tickets');
        await sleep(50);
      }
      for (const other of await others()) await other.close();
      await page.bringToFront();
    },
    errors: async () => errors,
  };
}

function frameOf(page: Page): BidiFrame {
  return page.mainFrame() as unknown as BidiFrame;
}
