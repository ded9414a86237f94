import { useEffect, useSyncExternalStore } from 'react';
import { Notice } from '../../scenes/notice.tsx';
import { noticeOnShow, subscribeToNotices, timeNotice } from './notices.ts';

type Props = {
  /** Nobody sees it: its time begins anew when the page is shown. */
  paused?: boolean;
  alone?: boolean;
};

/** What is being said in the scene, for its time. */
export function NoticeLine({ paused = false, alone = false }: Props) {
  const notice = useSyncExternalStore(subscribeToNotices, noticeOnShow, noticeOnShow);
  useEffect(() => (notice === null || paused ? undefined : timeNotice(notice)), [notice, paused]);
  return <Notice text={notice?.text ?? null} description={notice?.description ?? null} alone={alone} />;
}
