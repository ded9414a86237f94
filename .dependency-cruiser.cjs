/** Import rules between the folders. See docs/architecture.md. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|demo|tests)/', pathNot: [from, ...allowed] },
});

/**
 * Orders the folders of `base`: each may import from those before it and not from those after it, so that there are no
 * cycles. Applies to all imports, types and dynamic ones included. A folder outside the list may not be imported.
 */
const inOrder = (base, folders) => [
  ...folders.slice(0, -1).map((folder, place) => ({
    name: `${base}-order-${folder}`,
    comment: `${folder} stands before what it imports here: see the order in .dependency-cruiser.cjs`,
    severity: 'error',
    from: { path: `^${base}/${folder}/` },
    to: { path: `^${base}/(${folders.slice(place + 1).join('|')})/` },
  })),
  {
    name: `${base}-order-unknown`,
    comment: 'A new folder gets its place in the order in .dependency-cruiser.cjs',
    severity: 'error',
    from: {},
    to: { path: `^${base}/[^/]+/`, pathNot: `^${base}/(${folders.join('|')})/` },
  },
];

const serverFolders = [
  ...inOrder('src/server', [
    'work',
    'db',
    'storage',
    'media-worker',
    'http',
    'https',
    'limits',
    'event-log',
    'bin',
    'auth',
    'identity',
    'live',
    'features',
    'commands',
  ]),
  ...inOrder(
    'src/server/features',
    `
      notifications config logs visit questions diagnosis media uploads hues light captions
      tickets rehearsal archive address sharing access keepsake tokens plan-b bin sessions dashboard ready erase metrics
    `
      .trim()
      .split(/\s+/),
  ),
  {
    name: 'server-made-at-the-root',
    comment: 'What puts the server together is imported by nothing in its folders',
    severity: 'error',
    from: { path: '^src/server/[^/]+/' },
    to: { path: '^src/server/(app|start|main)\\.ts$' },
  },
  {
    name: 'server-deps-are-types',
    comment: 'deps.ts names everything: as a value it would close every circle',
    severity: 'error',
    from: { path: '^src/server/' },
    to: { path: '^src/server/deps\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'server-deps-import-types',
    severity: 'error',
    from: { path: '^src/server/deps\\.ts$' },
    to: { dependencyTypesNot: ['type-only'] },
  },
];

/** Inside the administrator's pages: `part` never imports these others, or the files that combine the pages. */
const adminPart = (part, others) => ({
  name: `admin-${part}-keeps-its-place`,
  comment:
    'pages → rehearsal → components; dashboard and layout → components. The table of the pages is handed in',
  severity: 'error',
  from: { path: `^src/web/admin/${part}/` },
  to: { path: `^src/web/admin/((${others.join('|')})/|(pages|load-page|provider|chunks)\\.)` },
});

/** Among the folders of one parent: `from` never imports `others`, which depend on it or are next to it. */
const neverUp = (parent, from, others) => ({
  name: `${parent.split('/').at(-1)}-${from}-keeps-its-place`,
  severity: 'error',
  from: { path: `^${parent}/${from}/` },
  to: { path: `^${parent}/(${others.join('|')})/` },
});

/**
 * The folders of the web, in one direction: a check by file does not detect a cycle between two folders through
 * different files.
 */
const webFolders = [
  adminPart('components', ['pages', 'layout', 'dashboard', 'rehearsal', 'sign-in']),
  adminPart('layout', ['pages', 'dashboard', 'rehearsal', 'sign-in']),
  adminPart('dashboard', ['pages', 'layout', 'rehearsal', 'sign-in']),
  adminPart('rehearsal', ['pages', 'layout', 'dashboard', 'sign-in']),
  adminPart('sign-in', ['pages', 'layout', 'dashboard', 'rehearsal']),
  adminPart('pages', ['layout', 'dashboard', 'sign-in']),
  {
    name: 'admin-files-know-no-folder',
    comment: 'What all of the administration stands on; only what puts it together knows the folders',
    severity: 'error',
    from: { path: '^src/web/admin/[^/]+$', pathNot: '^src/web/admin/(pages|load-page|provider|chunks)\\.' },
    to: { path: '^src/web/admin/[^/]+/' },
  },
  {
    name: 'a-page-knows-no-other',
    severity: 'error',
    from: { path: '^src/web/admin/pages/([^/]+)/' },
    to: { path: '^src/web/admin/pages/', pathNot: '^src/web/admin/pages/$1/' },
  },
  {
    name: 'small-components-know-no-large-ones',
    severity: 'error',
    from: { path: '^src/web/admin/components/[^/]+$' },
    to: { path: '^src/web/admin/components/[^/]+/' },
  },
  neverUp('src/web/admin/components', '(answers|live-table|phone-frame)', ['forms', 'media', 'second-trip']),
  neverUp('src/web/admin/components', 'forms', ['media', 'second-trip', 'live-table', 'answers']),
  neverUp('src/web/admin/components', 'media', ['second-trip', 'live-table', 'answers']),
  neverUp('src/web', '(scenes|api|ui|pages)', ['visitor', 'admin', 'diagnosis', 'keepsake', 'plan-b']),
  neverUp('src/web', 'visitor', ['diagnosis', 'keepsake', 'plan-b']),
  neverUp('src/web', 'admin', ['diagnosis', 'keepsake', 'plan-b']),
  neverUp('src/web', 'diagnosis', ['admin', 'keepsake', 'plan-b']),
  neverUp('src/web', 'keepsake', ['admin', 'diagnosis', 'plan-b']),
  neverUp('src/web', 'plan-b', ['admin', 'diagnosis', 'keepsake']),
  neverUp('src/web/visitor', 'media', ['access', 'experience', 'local', 'rehearsal']),
  neverUp('src/web/visitor', 'access', ['media', 'experience', 'local', 'rehearsal']),
  neverUp('src/web/visitor', 'experience', ['access', 'local', 'rehearsal']),
  neverUp('src/web/visitor', 'local', ['access', 'rehearsal']),
  neverUp('src/web/visitor', 'rehearsal', ['access']),
];

module.exports = {
  forbidden: [
    ...serverFolders,
    ...webFolders,
    {
      name: 'no-circular',
      comment: 'A page may know the table that fetches it later: what is fetched later closes no circle',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'dynamic-import'] } },
    },
    only('domain-imports-nothing', '^src/domain/', ['^src/contract/'], 'pure rules'),
    {
      name: 'domain-imports-types-of-the-contract',
      comment: 'Types are inferred from the schemas; a value would load zod with every rule',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: '^src/contract/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain-has-no-packages',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { dependencyTypes: ['npm', 'core'] },
    },
    only('contract-imports-domain', '^src/contract/', ['^src/domain/']),
    only('texts-import-domain-and-contract', '^src/texts/', ['^src/domain/', '^src/contract/']),
    only('experience-imports-domain-and-contract', '^src/experience/', ['^src/domain/', '^src/contract/']),
    {
      name: 'experience-has-only-xstate',
      severity: 'error',
      from: { path: '^src/experience/' },
      to: { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/xstate' },
    },
    only('sealed-imports-domain', '^src/sealed/', ['^src/domain/']),
    {
      name: 'sealed-runs-everywhere',
      comment: 'In a browser as well as on the server: no Node, and no package but what seals',
      severity: 'error',
      from: { path: '^src/sealed/' },
      to: { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/(@noble/ciphers|hash-wasm)/' },
    },
    only('server-stays-on-the-server', '^src/server/', ['^src/(domain|contract|texts|sealed)/']),
    {
      name: 'cli-is-the-top-layer',
      comment: 'It starts everything, so nothing imports it',
      severity: 'error',
      from: { pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    only('cli-knows-no-web', '^src/cli/', ['^src/server/', '^src/texts/', '^src/domain/', '^demo/']),
    only('web-stays-on-the-web', '^src/web/(?!dev/)', [
      '^src/domain/',
      '^src/contract/',
      '^src/texts/',
      '^src/experience/',
      '^src/sealed/',
    ]),
    // Shows all screens of the visitor with the demo's surprise; nothing that is built imports it.
    only('gallery-shows-the-visitors-web', '^src/web/dev/', [
      '^src/web/(dresses|scenes|visitor|keepsake|pages|api|ui)/',
      '^src/web/palette\\.ts$',
      '^src/domain/',
      '^src/contract/',
      '^src/texts/',
      '^src/experience/',
      '^demo/(content\\.ts$|media/)',
    ]),
    only('ui-imports-ui', '^src/web/ui/', ['^src/texts/']),
    {
      name: 'visitor-knows-no-admin',
      severity: 'error',
      from: { path: '^src/web/visitor/' },
      to: { path: '^src/web/admin/' },
    },
    {
      name: 'admin-knows-no-visitor',
      severity: 'error',
      from: { path: '^src/web/admin/' },
      to: { path: '^src/web/visitor/' },
    },
    {
      name: 'hono-at-the-edge',
      severity: 'error',
      from: {
        path: '^src/server/',
        pathNot: ['^src/server/http/', '\\.routes\\.ts$', '^src/server/(app|main)\\.ts$'],
      },
      to: { path: 'node_modules/(hono|@hono)/' },
    },
    {
      name: 'kysely-in-repos',
      severity: 'error',
      from: { path: '^src/server/', pathNot: ['\\.repo\\.ts$', '^src/server/db/'] },
      to: { path: 'node_modules/kysely/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'routes-do-not-touch-repos',
      severity: 'error',
      from: { path: '\\.routes\\.ts$' },
      to: { path: '\\.repo\\.ts$' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '\\.config\\.', 'tsconfig', '^src/web/public/'] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
