import { useEffect, useState } from 'react';
import { START } from '../../domain/stage-content.ts';
import { exitReason, isContentReady } from '../../experience/selectors.ts';
import { useDress } from '../visitor/dress.ts';
import { guardBack } from '../visitor/experience/back-guard.ts';
import { EveningScreen } from '../visitor/experience/evening-screen.tsx';
import { endMedia } from '../visitor/experience/media.ts';
import { markEveningReady } from '../visitor/experience/opening.ts';
import { forgetPictures } from '../visitor/experience/prefetch.ts';
import { TicketsAddress } from '../visitor/experience/tickets-address.ts';
import { useSelector } from '../visitor/experience/use-selector.ts';
import { type RunningLocally, startLocalVisit } from '../visitor/local/start-local-visit.ts';
import { releaseWakeLock } from '../visitor/media-host.ts';
import { End } from './end.tsx';
import type { OpenEvening } from './sealed-evening.ts';

type Props = { opened: OpenEvening; onAgain: () => void };

/** Runs the evening on the site's chart and screens; server calls are answered in the page by the same rules. */
export function Evening({ opened, onAgain }: Props) {
  const { snapshot } = opened;
  useDress(snapshot.config.dress);
  const [running, setRunning] = useState<RunningLocally>();
  useEffect(() => {
    const started = startLocalVisit(snapshot, START, null);
    const releaseBack = guardBack();
    setRunning(started);
    return () => {
      started.stop();
      releaseBack();
      releaseWakeLock();
      endMedia();
      forgetPictures();
    };
  }, [snapshot]);
  if (running === undefined) return null;
  return (
    <TicketsAddress value={opened.tickets}>
      <Running running={running} onAgain={onAgain} />
    </TicketsAddress>
  );
}

type RunningProps = Pick<Props, 'onAgain'> & { running: RunningLocally };

function Running({ running: { actor }, onAgain }: RunningProps) {
  const isReady = useSelector(actor, isContentReady);
  const hasEnded = useSelector(actor, (snapshot) => exitReason(snapshot) !== null);
  // All content is in the page, so nothing has to load.
  useEffect(() => {
    if (isReady || hasEnded) markEveningReady();
  }, [isReady, hasEnded]);
  return hasEnded ? <End actor={actor} onAgain={onAgain} /> : <EveningScreen actor={actor} />;
}
