import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { routes } from './router.tsx';

/** The access screen's markup as `main.tsx` will hydrate it; called while building. */
export function prerender(): string {
  return renderToString(<RouterProvider router={createMemoryRouter(routes, { initialEntries: ['/'] })} />);
}
