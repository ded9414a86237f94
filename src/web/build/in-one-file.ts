import type { Plugin } from 'vite';

const SCRIPT = /\s*<script type="module"[^>]* src="[^"]*"><\/script>/;
const STYLES = /\s*<link rel="stylesheet"[^>]*>/g;
const SLOT = '<!--sealed-->';

/** Inlines the page's single script and its styles. The script is last, except for the data that the server appends after it. */
export function inlineAssets(): Plugin {
  return {
    name: 'in-one-file',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // Runs after plugins that inspect the script.
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const scripts = files.filter((file) => file.type === 'chunk');
        const assets = files.filter((file) => file.type === 'asset');
        const page = assets.find(({ fileName }) => fileName.endsWith('.html'));
        const styles = assets.filter(({ fileName }) => fileName.endsWith('.css'));
        const [script, ...more] = scripts;
        const unexpected = assets.filter((file) => file !== page && !styles.includes(file));
        if (page === undefined || script === undefined || more.length > 0)
          return this.error('the page is not one page with one script');
        const names = unexpected.map(({ fileName }) => fileName).filter((name) => !name.startsWith('.vite/'));
        if (names.length > 0) return this.error(`${names.join(', ')} would be files of their own`);
        const css = styles.map(({ source }) => String(source)).join('\n');
        if (css === '') return this.error('the page has no styles');
        page.source = String(page.source)
          .replace(SCRIPT, '')
          .replace(STYLES, '')
          .replace('</head>', () => `<style>${css}</style>\n</head>`)
          .replace(SLOT, () => `<script>${escapeScript(script.code)}</script>\n${SLOT}`);
        for (const { fileName } of [script, ...styles]) delete bundle[fileName];
      },
    },
  };
}

/** Escapes sequences that would end the script tag or start an HTML comment. */
const escapeScript = (code: string): string =>
  code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
