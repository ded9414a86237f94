import { render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test, vi } from 'vitest';
import { adminPageTexts } from '../../src/texts/admin/pages.ts';
import { ADMIN_PAGES } from '../../src/web/admin/pages.ts';
import { AdminProvider } from '../../src/web/admin/provider.tsx';

test('shows on the page of the song why the list was refused', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ codice: 'NOT_FOUND', messaggio: 'Non disponibile.' }, { status: 404 }),
  );
  const row = ADMIN_PAGES.find(({ path }) => path === '/admin/musica');
  const { Page } = (await row?.load()) ?? expect.unreachable();
  const router = createMemoryRouter([
    { element: <AdminProvider />, children: [{ path: '*', element: <Page /> }] },
  ]);
  render(<RouterProvider router={router} />);
  expect(await screen.findByText('Non disponibile.')).toBeDefined();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(adminPageTexts['/admin/musica'].title);
});
