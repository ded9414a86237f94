/**
 * `npm run release`: builds `release/sorpresa-X.Y.Z.tgz`, the product ready to run, and the list of its components
 * (CycloneDX). `npm run release -- FOLDER` builds them in another folder, which is emptied first. See
 * docs/decisions/051-the-release-is-one-bundle.md.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { startOf } from './platform.mjs';
import { ensureBuilt, ensureInstalled, fail, node, root, run, withoutLocalBinaries } from './setup.mjs';

/**
 * Packages that npm installs: programs per platform, replaceable libraries (LGPL), and WebAssembly read from a file.
 */
const INSTALLED = ['sharp', 'libheif-js', '@embedpdf/pdfium'];
/** Contains FFmpeg. npm installs the build for the machine, or none if there is none. */
const FFMPEG = { of: 'node-av', builds: /^@seydx\/node-av-(?!.*-mingw)/ };

/** Bundled packages without code, which Vite does not list. */
const UNSEEN = ['@fontsource-variable/figtree', '@fontsource-variable/fraunces'];
/** Parts of others in installed packages (SPDX), which the packages' own licences do not mention, with their source. */
const HELD = [
  {
    by: /^@seydx\/node-av-/,
    parts: [
      { name: 'FFmpeg', licence: 'GPL-3.0-or-later' },
      { name: 'x264', licence: 'GPL-2.0-or-later' },
      { name: 'x265', licence: 'GPL-2.0-or-later' },
      { name: 'libfdk-aac', licence: 'FDK-AAC' },
    ],
    source: 'https://github.com/jellyfin/jellyfin-ffmpeg',
  },
  {
    by: /^@img\/sharp-(libvips|win32|wasm32)/,
    parts: [{ name: 'libvips', licence: 'LGPL-3.0-or-later' }],
    source: 'https://github.com/lovell/sharp-libvips',
  },
  {
    by: /^libheif-js$/,
    parts: [
      { name: 'libheif', licence: 'LGPL-3.0-or-later' },
      { name: 'libde265', licence: 'LGPL-3.0-or-later' },
    ],
    source: 'https://github.com/strukturag/libheif',
  },
  {
    by: /^@embedpdf\/pdfium$/,
    parts: [{ name: 'PDFium', licence: 'BSD-3-Clause AND Apache-2.0' }],
    source: 'https://pdfium.googlesource.com/pdfium',
  },
];
/** Its licence text is the LGPL's. */
const LGPL_3 = 'libheif-js';
/** Extracted from other packages, with the licences. */
const EXTRACTED = [
  ['Allura (OFL-1.1)', 'hand/OFL.txt'],
  ['Tabler Icons (MIT)', 'icons/LICENSE.txt'],
].map(([title, file]) => `## ${title}\n\n${readFileSync(join(root, 'src/web/ui', file), 'utf8')}\n`);

/** Files of a release. */
const EXPECTED =
  /^(bin\/sorpresa\.cjs|(LICENSE|(README|CHANGELOG|THIRD-PARTY)\.md|package\.json)|src\/[\w./-]+\.js|demo\/media\/[\w.-]+|dist\/web\/[\w./-]+)$/;

const { version, description, license } = json('package.json');
const out = resolve(root, process.argv[2] ?? 'release');
const stage = join(out, 'package');

ensureInstalled('all');
ensureBuilt();
rmSync(out, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
run(node(), ['node_modules/vite/bin/vite.js', 'build', '--mode', 'server'], {
  ...process.env,
  RELEASE_STAGE: stage,
});
const bundled = [
  ...bundledIn(join(root, 'dist/web/.vite/license.json')),
  ...bundledIn(join(root, 'dist/web/.vite/plan-b-license.json')),
  ...bundledIn(bundledListOf(stage)),
];
copyTheRest();
writeFileSync(join(stage, 'THIRD-PARTY.md'), `${notices()}\n${installedNotices()}`);
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
const strange = filesBelow(stage).filter(isStrange);
if (strange.length > 0) fail(`These have no place in a release: ${strange.join(', ')}`);
writeFileSync(join(out, `sorpresa-${version}.sbom.json`), billOfMaterials());
runNpm(['pack', '--silent', '--pack-destination', out], stage);
rmSync(stage, { recursive: true });
console.log(join(out, `sorpresa-${version}.tgz`));

/** Runs npm in a folder and returns its output. Ends this process with npm's messages on failure. */
function runNpm(args, cwd) {
  const { file, args: npmArgs, shell } = startOf(process.platform, 'npm', args);
  const options = { cwd, env: withoutLocalBinaries(), shell, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 };
  const { status, stdout, stderr } = spawnSync(file, npmArgs, options);
  return status === 0 ? stdout : fail(`npm ${args[0]} failed.\n${stderr}`);
}

function json(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

/** Returns the server's list of bundled packages, which Vite writes among the code. */
function bundledListOf(folder) {
  return join(folder, 'third-party-server.json');
}

function bundledIn(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function copyTheRest() {
  rmSync(bundledListOf(stage));
  for (const name of ['LICENSE', 'CHANGELOG.md', 'demo/media'])
    cpSync(join(root, name), join(stage, name), { recursive: true });
  writeFileSync(join(stage, 'README.md'), withoutLocalLinks(readFileSync(join(root, 'README.md'), 'utf8')));
  cpSync(join(root, 'dist/web'), join(stage, 'dist/web'), {
    recursive: true,
    // Build metadata of Vite.
    filter: (path) => !path.endsWith('.vite'),
  });
  cpSync(join(root, 'src/cli/launcher.cjs'), join(stage, 'bin/sorpresa.cjs'));
}

/** Removes links to pages and pictures that stay in the repository. */
function withoutLocalLinks(readme) {
  return readme
    .replace(/<p>\n(\s*<img[^>]*>\n)+<\/p>\n/g, '')
    .replace(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1');
}

function manifest() {
  const { dependencies } = json('package.json');
  const { optionalDependencies } = json(`node_modules/${FFMPEG.of}/package.json`);
  const exact = json('package-lock.json').packages;
  const builds = Object.keys(optionalDependencies).filter((name) => FFMPEG.builds.test(name));
  return {
    name: 'sorpresa',
    version,
    description,
    license,
    type: 'module',
    bin: { sorpresa: 'bin/sorpresa.cjs' },
    engines: { node: '>=24' },
    dependencies: Object.fromEntries(INSTALLED.map((name) => [name, dependencies[name]])),
    optionalDependencies: Object.fromEntries(
      builds.map((name) => [name, exact[`node_modules/${name}`].version]),
    ),
  };
}

function licenceOf(name) {
  return readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8');
}

/** Lists every package with bundled content once, with its licence. */
function notices() {
  const known = new Map(bundled.map((each) => [`${each.name} ${each.version}`, each]));
  for (const each of UNSEEN)
    known.set(each, { identifier: json(`node_modules/${each}/package.json`).license, text: licenceOf(each) });
  const parts = [...known]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([title, { identifier, text }]) => `## ${title} (${identifier})\n\n${text ?? 'No text of its own.'}\n`,
    );
  return `# What others have written of this\n\nCode of these packages is inside, under their own licences.\n\n${[...parts, ...EXTRACTED].join('\n')}`;
}

/**
 * Returns the packages that npm may install with the release, by name, from the lock file. npm takes the build for the
 * machine.
 */
function installedPackages() {
  const { packages } = json('package-lock.json');
  const { dependencies, optionalDependencies } = manifest();
  const found = new Map();
  const pending = Object.keys({ ...dependencies, ...optionalDependencies });
  for (const name of pending) {
    const one = packages[`node_modules/${name}`];
    found.set(name, one);
    const more = Object.keys({ ...one.dependencies, ...one.optionalDependencies });
    pending.push(...more.filter((each) => !pending.includes(each)));
  }
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function heldBy(name) {
  return HELD.find(({ by }) => by.test(name)) ?? { parts: [] };
}

/** Lists every package that npm installs with the release, its parts, and the licences' texts. */
function installedNotices() {
  const packages = installedPackages();
  const rows = [...packages].map(([name, { version, license }]) => {
    const { parts, source } = heldBy(name);
    const held = parts.map((part) => `${part.name} (${part.licence})`);
    return `| ${[name, version, license, [...held, ...(source ? [source] : [])].join(', ')].join(' | ')} |`;
  });
  const texts = Map.groupBy(
    [...packages.keys()]
      .filter((name) => name !== LGPL_3)
      .flatMap((name) =>
        ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENSE.pdfium']
          .map((file) => join(root, 'node_modules', name, file))
          .filter((file) => existsSync(file))
          .map((file) => ({ name, text: readFileSync(file, 'utf8').trim() })),
      ),
    ({ text }) => text,
  );
  return [
    '# What npm installs beside this',
    'Nothing of these is inside. npm fetches them, of several builds the one for the machine: they and what they hold are under their own licences.',
    ['| Package | Version | Licence | Holds |', '| --- | --- | --- | --- |', ...rows].join('\n'),
    `## What stands in libvips\n\n${librariesOfVips(packages)}`,
    `## FFmpeg, x264 and x265: GPL 3\n\n${readFileSync(join(root, 'scripts/GPL-3.0.txt'), 'utf8')}`,
    `## libvips, libheif and libde265: LGPL 3\n\n${licenceOf(LGPL_3)}`,
    ...[...texts].map(([text, of]) => `## ${of.map(({ name }) => name).join(', ')}\n\n${text}\n`),
  ].join('\n\n');
}

/** Returns the libraries listed by the build for this machine. */
function librariesOfVips(packages) {
  const names = [...packages.keys()].filter((name) => name.startsWith('@img/sharp-libvips-'));
  const pages = names.map((name) => join(root, 'node_modules', name, 'README.md'));
  const page = pages.find((each) => existsSync(each)) ?? fail('No build of libvips is installed.');
  return /(?<=## Licensing\n\n)[^]*(?=\n\nPlease)/.exec(readFileSync(page, 'utf8'))?.[0];
}

/**
 * Creates the list with npm, offline from the lock file, for a project that depends on the bundled and the installed
 * packages.
 */
function billOfMaterials() {
  const project = json('package.json');
  const inside = new Set([...bundled.map(({ name }) => name), ...INSTALLED, FFMPEG.of]);
  const only = (dependencies) =>
    Object.fromEntries(Object.entries(dependencies).filter(([name]) => inside.has(name)));
  const folder = join(out, 'bill');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'sorpresa',
      version,
      license,
      dependencies: only(project.dependencies),
      optionalDependencies: only(project.optionalDependencies),
      overrides: project.overrides,
    }),
  );
  cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  runNpm(['install', '--package-lock-only', '--offline', '--no-audit', '--no-fund', '--silent'], folder);
  const bill = JSON.parse(runNpm(['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], folder));
  rmSync(folder, { recursive: true });
  return JSON.stringify({ ...bill, components: bill.components.map(withWhatItHolds) }, null, 2);
}

/** Adds the parts of a package, because npm only knows the package's own licence. */
function withWhatItHolds(component) {
  const { parts, source } = heldBy(component.name);
  if (parts.length === 0) return component;
  const components = parts.map(({ name, licence }) => ({
    'bom-ref': `${component['bom-ref']}/${name}`,
    type: 'library',
    name,
    licenses: [{ expression: licence }],
    externalReferences: [{ type: 'vcs', url: source }],
  }));
  return { ...component, components };
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(stage, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** Returns true for a file that is not needed at run time, or that contains the path of this machine. */
function isStrange(name) {
  if (!EXPECTED.test(name) || /\.(map|tsx?)$|\.test\./.test(name)) return true;
  return readFileSync(join(stage, name)).includes(root);
}
