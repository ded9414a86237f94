/** Returns the pass from the address's fragment, which is never sent to a server, and removes it from address bar and history. */
export function takePass(): string | null {
  const pass = location.hash.slice(1);
  if (pass === '') return null;
  history.replaceState(history.state, '', location.pathname);
  return pass;
}
