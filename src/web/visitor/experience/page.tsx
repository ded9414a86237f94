import { useEffect, useLayoutEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { canHandwrite } from '../../../domain/phrases.ts';
import { exitReason, isContentReady } from '../../../experience/selectors.ts';
import { eveningErrorSentences } from '../../../texts/experience.ts';
import { toastError } from '../../ui/toaster/toast.ts';
import { afterFrame } from '../../ui/waiting.ts';
import { useDress } from '../dress.ts';
import { ended } from '../letter.ts';
import { releaseWakeLock } from '../media-host.ts';
import { guardBack } from './back-guard.ts';
import type * as Curtain from './curtain.ts';
import { EveningScreen } from './evening-screen.tsx';
import { endMedia, experienceMedia } from './media.ts';
import { moveNoticeToToast } from './notices.ts';
import { markEveningReady, sealLetter } from './opening.ts';
import { forgetPictures } from './prefetch.ts';
import { type RunningVisit, startVisit } from './start-visit.ts';
import { useSelector } from './use-selector.ts';

export { openLetter, prepareLetter } from './opening.ts';

/** The closing animation; null until it is loaded. */
let curtain: typeof Curtain | null = null;
import('./curtain.ts').then(
  (module) => {
    curtain = module;
  },
  () => undefined,
);

/**
 * `/experience`: the whole evening. Needs no navigation state: the cookie identifies the visit. Without an open visit the chart leads
 * back to `/` (spec 2).
 */
export function ExperiencePage() {
  const visit = useVisit();
  return visit === undefined ? null : <Evening visit={visit} />;
}

/** Runs one visit while the page is mounted. */
function useVisit(): RunningVisit | undefined {
  const [visit, setVisit] = useState<RunningVisit>();
  useEffect(() => {
    const running = startVisit(experienceMedia());
    const releaseBack = guardBack();
    setVisit(running);
    return () => {
      running.stop();
      releaseBack();
      sealLetter();
      releaseWakeLock();
      endMedia();
      forgetPictures();
    };
  }, []);
  return visit;
}

/** Time in ms after which the letter uncovers «Un attimo…», if the evening still has no content. */
const UNCOVER_MS = 1_500;

function useUncovered({ actor }: RunningVisit): void {
  const isReady = useSelector(actor, isContentReady);
  useDress(useSelector(actor, ({ context }) => context.visit?.dress));
  useEffect(() => {
    const timer = setTimeout(markEveningReady, isReady ? 0 : UNCOVER_MS);
    return () => clearTimeout(timer);
  }, [isReady]);
}

function Evening({ visit }: { visit: RunningVisit }) {
  useUncovered(visit);
  const navigate = useNavigate();
  const hasEnded = useSelector(visit.actor, (snapshot) => exitReason(snapshot) !== null);
  useLayoutEffect(() => {
    if (!hasEnded) return;
    leave(visit);
    moveNoticeToToast();
    showIfExpelled(visit);
    // The closing animation covers the night first: rendered together with the access screen it would delay a frame on slow phones.
    afterFrame(() => void navigate('/', { replace: true }));
  }, [hasEnded, visit, navigate]);
  return <EveningScreen actor={visit.actor} />;
}

/** An evening that was watched to its end closes as the letter; any other fades. */
function leave({ actor }: RunningVisit): void {
  const snapshot = actor.getSnapshot();
  if (exitReason(snapshot)?.because !== 'ended') return curtain?.dropCurtain();
  const name = snapshot.context.visit?.recipient_name ?? null;
  ended.set({ name, isHandwritten: canHandwrite(name ?? '') });
  void curtain?.closeLetter();
}

/** Reports a visit that was open and has ended elsewhere. An address opened without a visit only leads to the access screen. */
function showIfExpelled({ actor }: RunningVisit): void {
  const snapshot = actor.getSnapshot();
  if (exitReason(snapshot)?.because !== 'expelled' || snapshot.context.visit === null) return;
  toastError(eveningErrorSentences.NO_VISIT);
}
