import 'sonner/dist/styles.css';
import './toaster.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Toaster, toast } from 'sonner';

/** The spec's toasts are sonner's defaults: bottom right, Alt+T, three at a time, 4000 ms. They follow the colour theme. */
export function mountToasts(name: string): typeof toast {
  const area = document.createElement('div');
  document.body.append(area);
  // A button that is taken away with the focus never reports a blur: sonner would pull the focus back seconds later, from wherever it is.
  area.addEventListener('click', ({ target }) => target instanceof HTMLElement && target.blur(), true);
  flushSync(() => createRoot(area).render(<Toaster theme="system" containerAriaLabel={name} />));
  return toast;
}
