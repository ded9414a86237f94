import type { Plugin } from 'vite';

/** Methods for developer tools and stored snapshots. Nothing calls them, but bundlers keep every method of a class. */
const UNUSED: Record<string, readonly string[]> = {
  StateMachine: [
    'get definition',
    'toJSON',
    'get events',
    'get ownEvents',
    'get on',
    'provide',
    'resolveState',
    'getPersistedSnapshot',
    'restoreSnapshot',
  ],
  raise: ['on', 'select', 'attachDevTools', 'toJSON', 'getPersistedSnapshot'],
};

/** Removes these methods from the bundle, and assignments of undefined that precede a field's value. */
export function leanXstate(): Plugin {
  return {
    name: 'lean-xstate',
    apply: 'build',
    transform: {
      filter: { id: /xstate\/dist\/(StateMachine|raise)-\w+\.esm\.js/ },
      handler(code, id) {
        const file = /(\w+)-\w+\.esm/.exec(id)?.[1] ?? '';
        let lean = code.replace(/^ {4}this\.\w+ = void 0;$/gm, '');
        for (const name of UNUSED[file] ?? []) {
          const method = new RegExp(`^ {2}${name}\\([^)]*\\) \\{\\n(.*\\n)*? {2}\\}\\n`, 'gm');
          if (!method.test(lean))
            this.error(`xstate no longer has ${name} in ${file}: remove it from the list`);
          lean = lean.replace(method, '').replace(`this.${name} = this.${name}.bind(this);`, '');
        }
        return { code: lean, map: null };
      },
    },
  };
}
