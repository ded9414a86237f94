import { expect, test } from 'vitest';
import { adminPageTexts } from '../../src/texts/admin/pages.ts';
import { ADMIN_PAGES } from '../../src/web/admin/pages.ts';
import { openPage, told } from '../support/admin-page.tsx';

test.each(ADMIN_PAGES.map(({ path }) => path))('draws %s with its title', async (path) => {
  await openPage(path);
  expect(document.querySelector('header h1')?.textContent).toBe(adminPageTexts[path].title);
  expect(told()).toEqual([]);
});
