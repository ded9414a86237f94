import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { routes } from './router.tsx';

/** Returns the access screen's markup, which `main.tsx` hydrates. Called by the build. */
export function prerender(): string {
  return renderToString(<RouterProvider router={createMemoryRouter(routes, { initialEntries: ['/'] })} />);
}
