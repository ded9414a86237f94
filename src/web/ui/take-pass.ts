/** The pass in the address's fragment, which no server ever sees; it is taken out of the address bar and of the history at once. */
export function takePass(): string | null {
  const pass = location.hash.slice(1);
  if (pass === '') return null;
  history.replaceState(history.state, '', location.pathname);
  return pass;
}
