import type { ComponentProps, ReactNode } from 'react';
import { ApiError } from '../../../api/failure.ts';
import { ErrorState } from '../error-state.tsx';
import { Loading } from '../loading.tsx';
import { PageFrame } from '../page-frame.tsx';
import { PhoneSkeleton } from '../phone-frame/phone-to-come.tsx';
import { WithPreview } from '../phone-frame/with-preview.tsx';

type UnreadProps = {
  /** Why it couldn't be read, or null while it still may be. */
  problem: string | null;
  onRetry: () => void;
  /** What stands there meanwhile: fields beside a phone, unless it is something else. */
  coming?: ReactNode;
};

type UnreadPageProps = UnreadProps & { title: string; description: string };

/** A page before its record is there. */
export function LoadingPage({ title, description, ...unread }: UnreadPageProps) {
  return (
    <PageFrame title={title} description={description}>
      <LoadingOrError {...unread} />
    </PageFrame>
  );
}

/** In place of what needs a record that isn't there yet, or can't be read. */
export function LoadingOrError({ problem, onRetry, coming = <FormSkeleton /> }: UnreadProps) {
  if (problem === null) return coming;
  return <ErrorState error={new ApiError('UNREADABLE', problem)} fallback={problem} onRetry={onRetry} />;
}

/** What is edited, in its shape, and the phone beside it. */
export function FormSkeleton({ shape = 'fields', count = 3 }: Partial<ComponentProps<typeof Loading>>) {
  return (
    <WithPreview preview={<PhoneSkeleton />}>
      <Loading shape={shape} count={count} />
    </WithPreview>
  );
}
