import type { HtmlTagDescriptor, Plugin } from 'vite';

/** Links the main styles from the start: `index.html` loads its scripts only after the first paint (boot.ts), which needs the styles. */
export function mainStyles(): Plugin {
  return {
    name: 'styles-of-main',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, path }) {
        if (path !== '/index.html') return [];
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
        const main = chunks.find((chunk) => chunk.moduleIds.some((id) => id.endsWith('/main.tsx')));
        const styles = [...(main?.viteMetadata?.importedCss ?? [])];
        if (styles.length === 0) throw new Error('The access screen has no styles');
        return styles.map(
          (file): HtmlTagDescriptor => ({
            tag: 'link',
            attrs: { rel: 'stylesheet', href: `/${file}` },
            injectTo: 'head',
          }),
        );
      },
    },
  };
}
