import { Outlet, useLocation } from 'react-router';
import { AccessPage } from './access/page.tsx';
import { useLetter } from './letter.ts';

/** `/` and `/experience`: the letter stays visible while it opens over the evening, which runs behind it. */
export function Visitor() {
  const { phase } = useLetter();
  const atHome = useLocation().pathname === '/';
  return (
    <>
      {(atHome || phase !== 'sealed') && <AccessPage />}
      {/* Content behind the letter is not interactive. */}
      <div inert={phase === 'opening'}>
        <Outlet />
      </div>
    </>
  );
}
