/** Returns the pass from the address's fragment and removes it there. Browsers never send a fragment to a server. */
export function takePass(): string | null {
  const pass = location.hash.slice(1);
  if (pass === '') return null;
  history.replaceState(history.state, '', location.pathname);
  return pass;
}
