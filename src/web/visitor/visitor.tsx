import { Outlet, useLocation } from 'react-router';
import { AccessPage } from './access/page.tsx';
import { useLetter } from './letter.ts';

/** `/` and `/experience`: the letter stays on the screen while it opens over the evening, which goes its own way behind it. */
export function Visitor() {
  const { phase } = useLetter();
  const atHome = useLocation().pathname === '/';
  return (
    <>
      {(atHome || phase !== 'sealed') && <AccessPage />}
      {/* What can't be seen can't be pressed. */}
      <div inert={phase === 'opening'}>
        <Outlet />
      </div>
    </>
  );
}
