import type { ComponentProps, ReactNode } from 'react';
import { ApiError } from '../../../api/failure.ts';
import { ErrorState } from '../error-state.tsx';
import { Loading } from '../loading.tsx';
import { PageFrame } from '../page-frame.tsx';
import { PhoneSkeleton, WithPreview } from '../phone-frame/with-preview.tsx';

type UnreadProps = {
  /** Reason of the failed read, or null while reading. */
  problem: string | null;
  onRetry: () => void;
  /** Placeholder while reading; fields next to a phone by default. */
  coming?: ReactNode;
};

type UnreadPageProps = UnreadProps & { title: string; description: string };

/** A page whose record is not loaded. */
export function LoadingPage({ title, description, ...unread }: UnreadPageProps) {
  return (
    <PageFrame title={title} description={description}>
      <LoadingOrError {...unread} />
    </PageFrame>
  );
}

/** Placeholder or error of content that needs a record. */
export function LoadingOrError({ problem, onRetry, coming = <FormSkeleton /> }: UnreadProps) {
  if (problem === null) return coming;
  return <ErrorState error={new ApiError('UNREADABLE', problem)} fallback={problem} onRetry={onRetry} />;
}

/** Skeleton of the editor with the phone next to it. */
export function FormSkeleton({ shape = 'fields', count = 3 }: Partial<ComponentProps<typeof Loading>>) {
  return (
    <WithPreview preview={<PhoneSkeleton />}>
      <Loading shape={shape} count={count} />
    </WithPreview>
  );
}
