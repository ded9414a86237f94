import type { ComponentProps, ReactNode } from 'react';
import { Failure } from '../../../api/failure.ts';
import { ErrorState } from '../error-state.tsx';
import { Loading } from '../loading.tsx';
import { PageFrame } from '../page-frame.tsx';
import { PhoneToCome } from '../phone-frame/phone-to-come.tsx';
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
export function UnreadPage({ title, description, ...unread }: UnreadPageProps) {
  return (
    <PageFrame title={title} description={description}>
      <Unread {...unread} />
    </PageFrame>
  );
}

/** In place of what needs a record that isn't there yet, or can't be read. */
export function Unread({ problem, onRetry, coming = <FormToCome /> }: UnreadProps) {
  if (problem === null) return coming;
  return <ErrorState error={new Failure('UNREADABLE', problem)} fallback={problem} onRetry={onRetry} />;
}

/** What is edited, in its shape, and the phone beside it. */
export function FormToCome({ shape = 'fields', count = 3 }: Partial<ComponentProps<typeof Loading>>) {
  return (
    <WithPreview preview={<PhoneToCome />}>
      <Loading shape={shape} count={count} />
    </WithPreview>
  );
}
