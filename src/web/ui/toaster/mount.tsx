import 'sonner/dist/styles.css';
import './toaster.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Toaster, toast } from 'sonner';

/** Mounts sonner with its defaults, which are the spec's: bottom right, Alt+T, three at a time, 4000 ms. Follows the colour theme. */
export function mountToasts(name: string): typeof toast {
  const area = document.createElement('div');
  document.body.append(area);
  // A focused button that is removed reports no blur; sonner would move the focus back seconds later. Blurring it first prevents that.
  area.addEventListener('click', ({ target }) => target instanceof HTMLElement && target.blur(), true);
  flushSync(() => createRoot(area).render(<Toaster theme="system" containerAriaLabel={name} />));
  return toast;
}
