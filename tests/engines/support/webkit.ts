import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Builder, Capabilities, Origin, type WebDriver } from 'selenium-webdriver';
import { toolPath } from '../../../scripts/tools.mjs';
import { freePort } from '../../support/free-port.ts';
import { ANSWER_MS, type Engine, type Tab, VIEW } from './engine.ts';
import { START_MS, startProgram } from './kept.ts';

/** WebKitGTK's MiniBrowser on a virtual screen, driven over WebDriver. Sound needs a gesture, as on an iPhone. */
export const webkit: Engine = {
  withoutNetwork: /Load failed/,
  async start() {
    const home = await mkdtemp(join(tmpdir(), 'sorpresa-webkit-'));
    await askForLessMotion(home);
    const screen = startProgram(toolPath('engines', 'xvfb'), [
      '-displayfd',
      '1',
      '-screen',
      '0',
      '500x1000x24',
      '-nolisten',
      'tcp',
    ]);
    const display = await screen.firstOutput();
    const port = await freePort();
    const server = startProgram(toolPath('engines', 'webDriver'), [`--port=${port}`, '--host=127.0.0.1'], {
      DISPLAY: `:${display}`,
      HOME: home,
      GDK_BACKEND: 'x11',
      NO_AT_BRIDGE: '1',
      // Software rendering by one thread: several take 50 % more time and draw no more.
      LP_NUM_THREADS: '0',
      // Only our own pages are shown, and root has no sandbox.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    });
    const close = async () => {
      await server.end();
      await screen.end();
      await rm(home, { recursive: true, force: true });
    };
    try {
      await listening(port);
      const driver = await newSession(port);
      return { ...tabOf(driver), close };
    } catch (error) {
      await close();
      throw error;
    }
  },
};

/** Sets reduced motion as the desktop's setting does. */
async function askForLessMotion(home: string): Promise<void> {
  const folder = join(home, '.config', 'gtk-3.0');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
}

async function newSession(port: number): Promise<WebDriver> {
  const args = ['--automation', '--autoplay-policy=allow-without-sound', '--enable-fullscreen=true'];
  const driver = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities(
      new Capabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: toolPath('engines', 'miniBrowser'), args },
      }),
    )
    .build();
  await driver.manage().setTimeouts({ pageLoad: ANSWER_MS, script: ANSWER_MS });
  await driver
    .manage()
    .window()
    .setRect({ x: 0, y: 0, ...VIEW });
  return driver;
}

function tabOf(driver: WebDriver): Omit<Tab, 'close'> {
  return {
    open: (url) => driver.get(url),
    reload: () => driver.navigate().refresh(),
    back: () => driver.navigate().back(),
    tapAt: (x, y) =>
      driver.actions().move({ x, y, origin: Origin.VIEWPORT, duration: 0 }).press().release().perform(),
    type: (text) => driver.actions().sendKeys(text).perform(),
    async read<T>(expression: string) {
      const json = await driver.executeScript<string>(`return JSON.stringify({ value: ${expression} })`);
      return (JSON.parse(json) as { value: T }).value;
    },
    returnFromDownload: async () => undefined,
    // WebDriver doesn't receive WebKit's console.
    errors: () => driver.executeScript<string[]>('return kit.errors()'),
  };
}

async function listening(port: number): Promise<void> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await sleep(20)) {
    const socket = connect(port, '127.0.0.1');
    const open = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (open === true) return;
  }
  throw new Error(`WebKitWebDriver did not listen on ${port}`);
}
