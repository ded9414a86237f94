import { createServer, type Plugin, type ResolvedConfig } from 'vite';

const SLOT = '<!--access-->';

/** Renders the access screen into `index.html`, so that it is visible before any script runs. */
export function prerenderAccess(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'prerender-access',
    configResolved(resolved) {
      config = resolved;
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { server }) {
        if (!html.includes(SLOT)) return html;
        const markup = server
          ? await render((path) => server.ssrLoadModule(path))
          : await withServer(config, (load) => render(load));
        return html.replace(SLOT, () => markup);
      },
    },
  };
}

type Load = (path: string) => Promise<Record<string, unknown>>;

async function render(load: Load): Promise<string> {
  const { prerender } = await load('/prerender.tsx');
  const markup: unknown = typeof prerender === 'function' ? prerender() : undefined;
  if (typeof markup !== 'string') throw new Error('prerender.tsx gave no markup');
  return markup;
}

async function withServer(config: ResolvedConfig, work: (load: Load) => Promise<string>): Promise<string> {
  const server = await createServer({
    configFile: config.configFile ?? false,
    root: config.root,
    mode: config.mode,
    logLevel: 'warn',
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  try {
    return await work((path) => server.ssrLoadModule(path));
  } finally {
    await server.close();
  }
}
