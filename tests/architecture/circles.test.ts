import { execFileSync } from 'node:child_process';
import { appendFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

type Planted = { what: string; from: string; to: string; line: string };

/** One import that would close a circle between folders, each. */
const PLANTED: Planted[] = [
  {
    what: 'the database → sign-in',
    from: 'src/server/db/ping.ts',
    to: 'src/server/auth/passwords.ts',
    line: "export { hashPassword } from '../auth/passwords.ts';",
  },
  {
    what: 'requests → a feature',
    from: 'src/server/http/network.ts',
    to: 'src/server/features/visit/page-life.ts',
    line: "export { hasLeft } from '../features/visit/page-life.ts';",
  },
  {
    what: 'a feature → one that stands on it',
    from: 'src/server/features/visit/visit-view.ts',
    to: 'src/server/features/questions/questions.service.ts',
    line: "export { listAnswers } from '../questions/questions.service.ts';",
  },
  {
    what: 'by a type only',
    from: 'src/server/live/announce.ts',
    to: 'src/server/features/visit/page-life.ts',
    line: "export type { PageLife } from '../features/visit/page-life.ts';",
  },
  {
    what: 'by a later import only',
    from: 'src/server/limits/spacing.ts',
    to: 'src/server/auth/passwords.ts',
    line: "export const later = () => import('../auth/passwords.ts');",
  },
  {
    what: 'through what names everything',
    from: 'src/server/deps.ts',
    to: 'src/server/live/announce.ts',
    line: "export { announce } from './live/announce.ts';",
  },
  {
    what: 'components → a page',
    from: 'src/web/admin/components/card.tsx',
    to: 'src/web/admin/pages/tokens/big-code.tsx',
    line: "export { codeGroups } from '../pages/tokens/big-code.tsx';",
  },
  {
    what: 'the layout → the table of the pages',
    from: 'src/web/admin/layout/navigation.tsx',
    to: 'src/web/admin/pages.ts',
    line: "export { ADMIN_GROUPS } from '../pages.ts';",
  },
  {
    what: 'a page → the table it is in',
    from: 'src/web/admin/pages/preview/film-strip.tsx',
    to: 'src/web/admin/load-page.ts',
    line: "export { loadPage } from '../../load-page.ts';",
  },
  {
    what: 'what the administration stands on → a component',
    from: 'src/web/admin/site-address.ts',
    to: 'src/web/admin/components/card.tsx',
    line: "export { Card } from './components/card.tsx';",
  },
  {
    what: 'the visitor’s media → the experience',
    from: 'src/web/visitor/media/gain.ts',
    to: 'src/web/visitor/experience/screen-props.ts',
    line: "export type { ScreenProps } from '../experience/screen-props.ts';",
  },
];

let refused: string[];

beforeAll(async () => {
  const copy = await mkdtemp(join(tmpdir(), 'sorpresa-circles-'));
  try {
    for (const name of ['src', '.dependency-cruiser.cjs', 'tsconfig.base.json', 'package.json'])
      await cp(resolve(name), join(copy, name), { recursive: true });
    await symlink(resolve('node_modules'), join(copy, 'node_modules'));
    expect(lint(copy)).toEqual([]);
    for (const { from, line } of PLANTED) await appendFile(join(copy, from), `${line}\n`);
    refused = lint(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});

test.each(PLANTED)('an import that closes a circle is refused: $what', ({ from, to }) => {
  expect(refused.some((found) => found.startsWith(from) && found.endsWith(to))).toBe(true);
});

/** What the lint refuses in a copy of the house, as «from → to». */
function lint(cwd: string): string[] {
  const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const output = execFileSync(process.execPath, [cruiser, 'src', '--output-type', 'json'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const { summary } = JSON.parse(output) as { summary: { violations: { from: string; to: string }[] } };
  return summary.violations.map(({ from, to }) => `${from} → ${to}`);
}
