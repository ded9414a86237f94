import { type ComponentProps, useEffect, useSyncExternalStore } from 'react';
import { Notice } from '../../scenes/notice.tsx';
import { noticeOnShow, subscribeToNotices, timeNotice } from './notices.ts';

type Props = {
  /** The notice is not visible; its time restarts when the page is shown. */
  paused?: boolean;
  at?: ComponentProps<typeof Notice>['at'];
};

/** Shows the current notice for its time. Notices of the trip card appear only on its stub. */
export function NoticeLine({ paused = false, at = 'foot' }: Props) {
  const notice = useSyncExternalStore(subscribeToNotices, noticeOnShow, noticeOnShow);
  useEffect(() => (notice === null || paused ? undefined : timeNotice(notice)), [notice, paused]);
  const shown = notice?.isOfCard && at !== 'stub' ? null : notice;
  return <Notice text={shown?.text ?? null} description={shown?.description ?? null} at={at} />;
}
