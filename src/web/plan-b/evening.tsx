import { useSelector } from '@xstate/react';
import { useEffect, useMemo, useState } from 'react';
import { START } from '../../domain/position.ts';
import { isThere, wayOut } from '../../experience/selectors.ts';
import type { VisitActor } from '../../experience/visit-machine.ts';
import { randomUuid } from '../random-uuid.ts';
import { useDress } from '../visitor/dress.ts';
import { addressee } from '../visitor/experience/addressee.ts';
import { guardBack } from '../visitor/experience/back-guard.ts';
import { EveningScreen } from '../visitor/experience/evening-screen.tsx';
import { endMedia } from '../visitor/experience/media.ts';
import { eveningIsThere } from '../visitor/experience/opening.ts';
import { forgetPictures } from '../visitor/experience/prefetch.ts';
import { TicketsAddress } from '../visitor/experience/tickets-address.ts';
import { type RunningLocally, startLocalVisit } from '../visitor/local/start-local-visit.ts';
import { letSleep } from '../visitor/media-host.ts';
import { End } from './end.tsx';
import { type GivenAnswers, useKeptAnswers } from './kept/answers.ts';
import type { OpenEvening } from './sealed-evening.ts';

type Props = { opened: OpenEvening; siteKey: string | null; onAgain: () => void };

/** The evening by the site's own chart and screens; what they would ask the server is answered in the page by the same rules. */
export function Evening({ opened, siteKey, onAgain }: Props) {
  const { snapshot } = opened;
  useDress(snapshot.config.dress);
  const [running, setRunning] = useState<RunningLocally>();
  useEffect(() => {
    const begun = startLocalVisit(snapshot, START, null);
    const letGo = guardBack();
    setRunning(begun);
    return () => {
      begun.stop();
      letGo();
      letSleep();
      endMedia();
      forgetPictures();
    };
  }, [snapshot]);
  if (running === undefined) return null;
  return (
    <TicketsAddress value={opened.tickets}>
      <Running running={running} opened={opened} siteKey={siteKey} onAgain={onAgain} />
    </TicketsAddress>
  );
}

type RunningProps = Props & { running: RunningLocally };

function Running({ running: { actor }, opened, siteKey, onAgain }: RunningProps) {
  const there = useSelector(actor, isThere);
  const name = useSelector(actor, ({ context }) => context.visit?.recipient_name ?? null);
  const out = useSelector(actor, (snapshot) => wayOut(snapshot) !== null);
  const told = useKeptAnswers(siteKey, useAnswers(actor, opened));
  useEffect(() => addressee.set(name), [name]);
  // Nothing is waited for here: what there is to be shown is in the page.
  useEffect(() => {
    if (there || out) eveningIsThere();
  }, [there, out]);
  return out ? (
    <End actor={actor} told={siteKey === null ? null : told} onAgain={onAgain} />
  ) : (
    <EveningScreen actor={actor} />
  );
}

/** What she has answered on this walk so far, as the site would take it; null before that. */
function useAnswers(actor: VisitActor, { manifest, token_id }: OpenEvening): GivenAnswers | null {
  const [walk] = useState(() => ({ id: randomUuid(), started_at: new Date().toISOString() }));
  const answers = useSelector(actor, ({ context }) => context.visit?.answers ?? NONE, isAsLong);
  const ended = useSelector(actor, (snapshot) => wayOut(snapshot)?.because === 'ended');
  return useMemo(() => {
    if (answers.length === 0) return null;
    return { ...walk, token_id, ended, questions: manifest.snapshot.questions, answers: [...answers] };
  }, [walk, token_id, manifest, answers, ended]);
}

type Answers = readonly GivenAnswers['answers'][number][];
const NONE: Answers = [];
/** What was answered stays. */
const isAsLong = (before: Answers, after: Answers) => before.length === after.length;
