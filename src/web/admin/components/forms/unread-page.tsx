import { Failure } from '../../../api/failure.ts';
import { ErrorState } from '../error-state.tsx';
import { Loading } from '../loading.tsx';
import { PageFrame } from '../page-frame.tsx';

type UnreadPageProps = {
  title: string;
  description: string;
  /** Why it couldn't be read, or null while it still may be. */
  problem: string | null;
  onRetry: () => void;
};

/** A page before its record is there. */
export function UnreadPage({ title, description, problem, onRetry }: UnreadPageProps) {
  return (
    <PageFrame title={title} description={description}>
      <Unread problem={problem} onRetry={onRetry} />
    </PageFrame>
  );
}

/** In place of what needs a record that isn't there yet, or can't be read. */
export function Unread({ problem, onRetry }: Pick<UnreadPageProps, 'problem' | 'onRetry'>) {
  if (problem === null) return <Loading />;
  return <ErrorState error={new Failure('UNREADABLE', problem)} fallback={problem} onRetry={onRetry} />;
}
