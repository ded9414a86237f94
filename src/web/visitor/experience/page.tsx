import { useSelector } from '@xstate/react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { wayOut } from '../../../experience/selectors.ts';
import { errorSentences } from '../../../texts/errors.ts';
import { toastError } from '../../ui/toaster/toast.ts';
import { letSleep } from '../media-host.ts';
import { guardBack } from './back-guard.ts';
import { dropCurtain } from './curtain.ts';
import { EveningScreen } from './evening-screen.tsx';
import { endMedia, experienceMedia } from './media.ts';
import { carryNotice } from './notices.ts';
import { forgetPictures } from './prefetch.ts';
import { type RunningVisit, startVisit } from './start-visit.ts';

/**
 * `/experience`: the whole evening. It needs no state of the navigation: the cookie tells the server whose visit it is, and without a
 * living one the chart leads back to `/` (spec 2, decision 3).
 */
export function ExperiencePage() {
  const visit = useVisit();
  return visit === undefined ? null : <Evening visit={visit} />;
}

/** One visit for the life of the page. */
function useVisit(): RunningVisit | undefined {
  const [visit, setVisit] = useState<RunningVisit>();
  useEffect(() => {
    const running = startVisit(experienceMedia());
    const letGo = guardBack();
    setVisit(running);
    return () => {
      running.stop();
      letGo();
      letSleep();
      endMedia();
      forgetPictures();
    };
  }, []);
  return visit;
}

function Evening({ visit }: { visit: RunningVisit }) {
  const navigate = useNavigate();
  const out = useSelector(visit.actor, (snapshot) => wayOut(snapshot) !== null);
  useLayoutEffect(() => {
    if (!out) return;
    dropCurtain();
    carryNotice();
    sayIfExpelled(visit);
    void navigate('/', { replace: true });
  }, [out, visit, navigate]);
  return <EveningScreen actor={visit.actor} />;
}

/** A visit that was on and ended elsewhere is told; an address opened without one just leads to the access screen. */
function sayIfExpelled({ actor }: RunningVisit): void {
  const snapshot = actor.getSnapshot();
  if (wayOut(snapshot)?.because !== 'expelled' || snapshot.context.visit === null) return;
  toastError(errorSentences.NO_VISIT);
}
