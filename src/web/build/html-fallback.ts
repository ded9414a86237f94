import type { Plugin } from 'vite';

/**
 * In development: every page but `/` is the shell, the administrator's pages their own, as on the real server; and one more, the gallery of
 * scenes (src/web/dev), which only development has.
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
