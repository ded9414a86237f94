import { useCallback, useEffect } from 'react';
import { useLocation, useNavigate, useRouteError } from 'react-router';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import { pageAt, titleAt } from '../../../texts/admin/pages.ts';
import { ApiError } from '../../api/failure.ts';
import { useReload } from '../../use-reload.ts';
import { ErrorState } from '../components/error-state.tsx';
import { Loading } from '../components/loading.tsx';
import { PageFrame } from '../components/page-frame.tsx';

/**
 * Shown if a page's code couldn't be fetched: the reason and a retry, automatic when the network returns. Rethrows other errors
 * to the router.
 */
export function UnfetchedPage() {
  const error = useRouteError();
  if (!(error instanceof ApiError)) throw error;
  return <Unfetched error={error} />;
}

function Unfetched({ error }: { error: ApiError }) {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const reloading = useReload(error);
  const again = useCallback(
    () => void navigate({ pathname, search, hash }, { replace: true }),
    [pathname, search, hash, navigate],
  );
  useEffect(() => {
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [again]);
  return (
    <PageFrame title={titleAt(pageAt(pathname)) ?? dashboardTexts.title}>
      {reloading ? <Loading shape="cards" /> : <ErrorState error={error} onRetry={again} />}
    </PageFrame>
  );
}
