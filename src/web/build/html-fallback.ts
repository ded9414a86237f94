import type { Plugin } from 'vite';

/**
 * Serves the HTML shells in development as the server does: `admin.html` for the administration, `app.html` for every other page but `/`.
 * Adds the scene gallery (src/web/dev), which exists only in development.
 */
export function htmlFallback(): Plugin {
  return {
    name: 'html-fallback',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const path = (request.url ?? '/').split('?')[0] ?? '/';
        const page =
          request.headers.accept?.includes('text/html') && path !== '/' && !path.startsWith('/api');
        if (page) request.url = documentAt(path);
        next();
      });
    },
  };
}

function documentAt(path: string): string {
  if (path === '/dev/scene') return '/dev/scene.html';
  return /^\/admin(\/|$)/.test(path) ? '/admin.html' : '/app.html';
}
