/** Finds the two engines beside Chromium that the evening is seen in, WebKitGTK and Firefox ESR, and installs Debian's where they aren't. */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './browser.mjs';
import { giveUp } from './setup.mjs';

const PACKAGES = ['webkit2gtk-driver', 'xvfb', 'gstreamer1.0-libav', 'firefox-esr'];
const NONE = `The evening can't be seen in WebKitGTK and Firefox ESR, since they are not all here and could not be installed: on Debian an administrator must run \`apt-get install -y ${PACKAGES.join(' ')}\`.`;

/**
 * The programs' paths.
 * @returns {{ webDriver: string, miniBrowser: string, xvfb: string, firefox: string } | undefined} undefined where one is missing
 */
export function findEngines() {
  const found = {
    webDriver: program('WebKitWebDriver'),
    miniBrowser: library(/^webkit2gtk-4\.\d$/, 'MiniBrowser'),
    xvfb: program('Xvfb'),
    firefox: program('firefox-esr') ?? program('firefox'),
  };
  // WebKit plays H.264 and AAC with it.
  const codecs = library(/^gstreamer-1\.0$/, 'libgstlibav.so');
  return codecs && Object.values(found).every(Boolean) ? /** @type {any} */ (found) : undefined;
}

/** The same where they must be there: throws otherwise. */
export function engines() {
  const found = findEngines();
  if (found === undefined) throw new Error(NONE);
  return found;
}

/** Installs them where they aren't there and can be had. Returns whether they are there now. */
export function installEngines() {
  if (findEngines()) return true;
  if (process.platform === 'linux') installPackages(...PACKAGES);
  return findEngines() !== undefined;
}

/** Makes sure that they are there when this returns. Ends the process with a sentence when they can't be had. */
export function ensureEngines() {
  if (!installEngines()) giveUp(NONE);
}

function program(name) {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** A file of a library's own folder, which is named after the machine: `/usr/lib/x86_64-linux-gnu/NAME/FILE`. */
function library(folderName, file) {
  const roots = ['/usr/lib', '/usr/libexec', '/usr/lib64'];
  const folders = roots.flatMap((path) => [path, ...foldersIn(path)]);
  const named = folders.flatMap((path) =>
    foldersIn(path).filter((each) => folderName.test(each.split('/').at(-1))),
  );
  return named.map((folder) => join(folder, file)).find((path) => existsSync(path));
}

function foldersIn(path) {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(path, entry.name));
}
