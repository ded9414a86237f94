import { execFileSync } from 'node:child_process';
import { appendFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

/** One import for each rule of the lint that would close a circle between folders: from a file, to another, by this line. */
const PLANTED = [
  ['server/db/ping.ts', 'server/auth/passwords.ts', "export { hashPassword } from '../auth/passwords.ts';"],
  [
    'server/http/network.ts',
    'server/features/visit/page-life.ts',
    "export { hasLeft } from '../features/visit/page-life.ts';",
  ],
  [
    'server/features/visit/visit-view.ts',
    'server/features/questions/questions.service.ts',
    "export { listAnswers } from '../questions/questions.service.ts';",
  ],
  // By a type only, and by a later import only.
  [
    'server/live/announce.ts',
    'server/features/visit/page-life.ts',
    "export type { PageLife } from '../features/visit/page-life.ts';",
  ],
  [
    'server/limits/spacing.ts',
    'server/auth/passwords.ts',
    "export const later = () => import('../auth/passwords.ts');",
  ],
  ['server/deps.ts', 'server/live/announce.ts', "export { announce } from './live/announce.ts';"],
  [
    'web/admin/components/card.tsx',
    'web/admin/pages/tokens/big-code.tsx',
    "export { codeGroups } from '../pages/tokens/big-code.tsx';",
  ],
  ['web/admin/layout/navigation.tsx', 'web/admin/pages.ts', "export { ADMIN_GROUPS } from '../pages.ts';"],
  [
    'web/admin/pages/preview/film-strip.tsx',
    'web/admin/load-page.ts',
    "export { loadPage } from '../../load-page.ts';",
  ],
  [
    'web/admin/site-address.ts',
    'web/admin/components/card.tsx',
    "export { Card } from './components/card.tsx';",
  ],
  [
    'web/visitor/media/gain.ts',
    'web/visitor/experience/screen-props.ts',
    "export type { ScreenProps } from '../experience/screen-props.ts';",
  ],
] as const;

it('refuses every import that closes a circle between folders', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'sorpresa-circles-'));
  try {
    for (const name of ['src', '.dependency-cruiser.cjs', 'tsconfig.base.json', 'package.json'])
      await cp(resolve(name), join(copy, name), { recursive: true });
    await symlink(resolve('node_modules'), join(copy, 'node_modules'));
    for (const [from, , line] of PLANTED) await appendFile(join(copy, 'src', from), `${line}\n`);
    const planted = new Set<string>(PLANTED.map(([from, to]) => `src/${from} → src/${to}`));
    const refused = lint(copy);
    expect(refused.filter((found) => planted.has(found)).toSorted()).toEqual([...planted].toSorted());
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});

/** What the lint refuses in a copy of the house, as «from → to», each once. That it refuses nothing of the house itself is part of `npm run check`. */
function lint(cwd: string): string[] {
  const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const output = execFileSync(process.execPath, [cruiser, 'src', '--output-type', 'json'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const { summary } = JSON.parse(output) as { summary: { violations: { from: string; to: string }[] } };
  return [...new Set(summary.violations.map(({ from, to }) => `${from} → ${to}`))];
}
