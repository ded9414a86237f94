import type { Plugin } from 'vite';

const INJECTION = /^__insertCSS\(.*\);?$/m;

/** Moves sonner's styles into a file: it would insert a <style> at load, which the content security policy forbids. */
export function sonnerStylesAsFile(): Plugin {
  return {
    name: 'sonner-styles-as-file',
    transform: {
      filter: { id: /sonner\/dist\/index\.mjs/ },
      handler(code) {
        if (!INJECTION.test(code))
          this.error('sonner no longer injects its styles the way this plugin takes out');
        return { code: code.replace(INJECTION, ''), map: null };
      },
    },
  };
}
