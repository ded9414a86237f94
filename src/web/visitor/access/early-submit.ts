/**
 * The form has come alive: sends it if it was sent before its scripts were there (boot.ts). What only a tap may do is then
 * done by the next tap.
 */
export function sendIfEarly(form: HTMLFormElement | null): void {
  const { dataset } = document.documentElement;
  const early = dataset.form === 'early';
  dataset.form = 'alive';
  if (early) form?.requestSubmit();
}
