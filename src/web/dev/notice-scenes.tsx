import type { ChartFailure, Notice } from '../../experience/ports.ts';
import { usePalette } from '../palette.ts';
import { Night } from '../scenes/night.tsx';
import { Notice as NoticeScene } from '../scenes/notice.tsx';
import { clearNotice, noticeOnShow, noticePort } from '../visitor/experience/notices.ts';
import type { Scene } from './scenes.tsx';

const FAILURES: Record<ChartFailure, string> = {
  CONFIG_MISSING: 'nothing is configured',
  VIDEO_MISSING: 'no film is configured',
  VIDEO_FAILED: 'the film can’t be played',
  LOADING: 'the visit can’t be read',
};

/** All notices of the chart; the compiler requires new ones here. */
const NOTICES: Record<Exclude<Notice['kind'], 'failed'>, [name: string, notice: Notice][]> = {
  answers_failed: [['the answers failed', { kind: 'answers_failed' }]],
  completed: [['the evening is over', { kind: 'completed', bothYes: null }]],
  download_started: [['the download began', { kind: 'download_started' }]],
  download_failed: [['the download failed', { kind: 'download_failed' }]],
  disconnected: [
    ['disconnected', { kind: 'disconnected', reason: 'token_revoked', contatto: '@marco' }],
    ['disconnected, nobody to ask', { kind: 'disconnected', reason: 'token_revoked', contatto: null }],
  ],
};

export const noticeScenes: Scene[] = [
  ...Object.values(NOTICES).flat(),
  ...Object.entries(FAILURES).map(([code, name]): [string, Notice] => [
    name,
    { kind: 'failed', code: code as ChartFailure },
  ]),
].map(([name, notice]) => ({ name, draw: () => <NoticePreview notice={notice} /> }));

/** Shows the text of a notice without its timeout. */
function NoticePreview({ notice }: { notice: Notice }) {
  usePalette('night');
  noticePort()(notice);
  const shown = noticeOnShow();
  clearNotice();
  return (
    <Night>
      <NoticeScene
        text={shown?.text ?? null}
        description={shown?.description ?? null}
        at={notice.kind === 'disconnected' ? 'middle' : 'foot'}
      />
    </Night>
  );
}
