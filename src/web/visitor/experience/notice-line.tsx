import { type ComponentProps, useEffect, useSyncExternalStore } from 'react';
import { Notice } from '../../scenes/notice.tsx';
import { noticeOnShow, subscribeToNotices, timeNotice } from './notices.ts';

type Props = {
  /** Nobody sees it: its time begins anew when the page is shown. */
  paused?: boolean;
  at?: ComponentProps<typeof Notice>['at'];
};

/** What is being said in the scene, for its time. What belongs to the trip card is said on its stub alone. */
export function NoticeLine({ paused = false, at = 'foot' }: Props) {
  const notice = useSyncExternalStore(subscribeToNotices, noticeOnShow, noticeOnShow);
  useEffect(() => (notice === null || paused ? undefined : timeNotice(notice)), [notice, paused]);
  const said = notice?.ofCard && at !== 'stub' ? null : notice;
  return <Notice text={said?.text ?? null} description={said?.description ?? null} at={at} />;
}
