import type { Plugin } from 'vite';

const INJECTION = /^__insertCSS\(.*\);?$/m;

/** sonner writes its styles into a <style> when it loads, which our content security policy forbids: they come as a file instead. */
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
